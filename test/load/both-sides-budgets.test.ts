/** One run, recorded as exchanges at rest and as evidence of k6: windows and unhide budgets are judged alike. */
import { describe, expect, test } from 'vitest'
import { judgeHistory, quotaRequestOf } from '../../conformance/steps/rate-limits/judge-window.ts'
import { readOf as readAtRest } from '../../conformance/steps/unhide/account.ts'
import type { Exchange } from '../../harness/client/exchange.ts'
import { prepareHistory, type LimiterVerdict } from '../../harness/judge/limiter.ts'
import {
  exceedsBudget,
  unexplainedRefusals,
  type UnhideRead,
} from '../../harness/judge/rules/unhide.ts'
import {
  brokenWindow,
  contradictions,
  refusedOtherwise,
} from '../../harness/judge/rules/windows.ts'
import type { UnexplainedQuota } from '../../harness/judge/rules/windows.ts'
import type { BurstExchange } from '../../harness/load/bursts/burst-import.ts'
import { isClear } from '../../harness/load/bursts/unhide-judge.ts'
import { readOf } from '../../harness/load/bursts/unhide-reads.ts'
import { unhideBudgets, type UnhideTopic } from '../../harness/load/bursts/unhide-scripts.ts'
import { groupByQuota, type QuotaGroup } from '../../harness/load/rate-limits/judge-groups.ts'
import { recorded } from './recorded-network.ts'
import { burstRun, windowsRun } from './virtual-load.ts'
import { virtualNetwork, type VirtualNetwork } from './virtual-network.ts'

/** What is said of one quota. */
type Said = { readonly counts: LimiterVerdict['counts']; readonly broken: string[] }

function saidOf(quota: Omit<UnexplainedQuota, 'isDrilled'>): Said {
  const { prepared, verdict } = quota
  const contradicted = Object.entries(contradictions(verdict)).map(
    ([requirement, rows]) => `${requirement}: ${rows.length}`,
  )
  const { requirement, observed } = brokenWindow({ ...quota, isDrilled: true })
  return {
    counts: verdict.counts,
    broken: [
      ...contradicted,
      `RATE-04: ${refusedOtherwise(prepared, verdict).length}`,
      ...(verdict.explained ? [] : [`${requirement}: ${observed}`]),
    ],
  }
}

/** By the exchanges that the requests of a quota made. */
function saidAtRest(group: QuotaGroup, exchanges: readonly Exchange[]): Said {
  const { first, slackMs } = group
  const own = exchanges
    .filter((exchange) => isOf(group, exchange))
    .toSorted((a, b) => a.sentAtMs - b.sentAtMs)
  const { verdict } = judgeHistory(own, { limit: first.limit, slackMs, completeness: 'partial' })
  const prepared = prepareHistory({ requests: own.map(quotaRequestOf), slackMs })
  return saidOf({ prepared, verdict, asked: { limit: first.limit, history: 'partial' } })
}

function isOf({ streams }: QuotaGroup, { request }: Exchange): boolean {
  const key = request.headers.find(([name]) => name === 'X-API-Key')?.[1]
  return streams.some(
    ({ keys, method, path, paths = [path] }) =>
      keys.some(({ secret }) => secret === key) &&
      method === request.method &&
      paths.some((each) => request.url.endsWith(each)),
  )
}

describe('windows are judged alike at rest and under load of', () => {
  test.each<[string, string[], RegExp]>([
    ['a right service', [], /^$/],
    ['a budget less one', ['window-count-minus-one'], /RATE-01: windows that admit/],
    ['a budget and one', ['window-count-plus-one'], /RATE-02: windows that admit/],
    ['a sliding window', ['window-sliding-log'], /RATE-03: fixed windows cannot/],
  ])('%s', async (_, faults, broken) => {
    const exchanges: Exchange[] = []
    const { plan, run } = await windowsRun(recorded(virtualNetwork({ faults }), exchanges))
    const groups = groupByQuota(plan, run)
    const underLoad = groups.map(({ prepared, verdict, first: { limit } }) =>
      saidOf({ prepared, verdict, asked: { limit, history: 'partial' } }),
    )
    expect(groups.map((group) => saidAtRest(group, exchanges))).toEqual(underLoad)
    expect(underLoad.map((each) => each.broken[4] ?? '').find(Boolean) ?? '').toMatch(broken)
  })
})

/** The reads in clear of each order, by the order that the buyer of a reference was given. */
function readsAtRest(exchanges: readonly Exchange[]): Exchange[][] {
  const orderOf = new Map<string, string>()
  for (const { request, json } of exchanges) {
    if (request.method !== 'POST') continue
    const { referenceId } = JSON.parse(request.body ?? '{}') as { referenceId?: string }
    const orderId = (json as { data?: { orderId?: string } }).data?.orderId
    if (referenceId !== undefined && orderId !== undefined) orderOf.set(referenceId, orderId)
  }
  const clear = exchanges.filter(({ request }) => request.url.includes('unhide=true'))
  const reads = Map.groupBy(clear, ({ request }) => {
    const { searchParams } = new URL(request.url)
    return searchParams.get('orderId') ?? orderOf.get(searchParams.get('referenceId') ?? '')
  })
  return [...reads.values()]
}

type SaidOfOrders = {
  readonly outcomes: string[][]
  readonly exceeds: boolean
  /** How many reads of each order no budget of it refuses. */
  readonly blocked: number[]
}

/** What is said of the orders of one script. */
function saidOfOrders(
  orders: readonly (readonly UnhideRead[])[],
  network: VirtualNetwork,
  topic: UnhideTopic,
): SaidOfOrders {
  const [budgets, slackMs] = [unhideBudgets(network, topic), 50]
  const limit = budgets[topic]
  const sorted = orders.map((reads) => reads.toSorted((a, b) => a.sentMs - b.sentMs))
  return {
    outcomes: sorted
      .map((reads) => reads.map(({ outcome }) => outcome).toSorted())
      .toSorted((a, b) => a.join('').localeCompare(b.join(''))),
    exceeds: exceedsBudget(sorted, { state: topic, limit, slackMs, history: 'complete' }),
    blocked: sorted
      .map((reads) => unexplainedRefusals(reads, budgets, slackMs).length)
      .toSorted((a, b) => a - b),
  }
}

describe('unhide budgets are judged alike at rest and under load of', () => {
  test.each<[string, string[], boolean, boolean]>([
    ['a right service', [], false, false],
    ['completed orders without a budget', ['unhide-completed-unlimited'], true, false],
    ['budgets for each name of an order', ['unhide-pending-alias-counted-apart'], true, false],
    ['one budget for all orders', ['unhide-counter-per-account'], false, true],
  ])('%s', async (_, faults, exceeds, blocked) => {
    const exchanges: Exchange[] = []
    const network = recorded(virtualNetwork({ faults }), exchanges)
    const { plan, run } = await burstRun('unhide-budgets', network)
    const topics = plan.file.scripts.map(({ name }) => name as UnhideTopic)
    const atRest = readsAtRest(exchanges).map((reads) => reads.map(readAtRest))
    const rows = run.evidence.scripts.map(({ exchanges: all }) => ordersIn(all))
    for (const topic of topics)
      expect(saidOfOrders(atRest, network, topic)).toEqual(
        saidOfOrders(rows.flat(), network, topic),
      )
    const said = topics.map((topic, at) => saidOfOrders(rows[at] ?? [], network, topic))
    expect(said.some((each) => each.exceeds)).toBe(exceeds)
    expect(said.some((each) => each.blocked.some(Boolean))).toBe(blocked)
  })
})

function ordersIn(all: readonly BurstExchange[]): UnhideRead[][] {
  const reads = Map.groupBy(all.filter(isClear), ({ reference }) => reference)
  return [...reads.values()].map((each) => each.flatMap(readOf))
}
