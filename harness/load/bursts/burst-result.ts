import type { LoadResult } from '../../../schemas/generated/run-record.ts'
import { formatMoney, parseMoney } from '../../money.ts'
import { loadResultOf, notDecided, type Judgement } from '../shared/conclusion.ts'
import type { K6Run } from '../evidence/k6-run.ts'
import { transportErrorNote } from '../evidence/transport-errors.ts'
import { percentilesOf } from '../shared/latencies.ts'
import { findingsFrom, type Statement } from '../shared/statements.ts'
import type { BurstEvidence, BurstExchange } from './burst-import.ts'
import type { BurstPlan } from './burst-plan.ts'
import { arrivalSpreadMsMax, releasesOf, isNamed } from './burst-proof.ts'
import {
  isAccepted,
  isCapRefusal,
  isLost,
  isThrottled,
  meaningOf,
} from '../../../contract/answers.ts'
import { rounded } from '../../text.ts'

export type BurstJudgement = Judgement<readonly Statement[]>

export type BurstRun = K6Run<BurstEvidence>

/** What the script of this name sent; nothing where the plan has none. */
export function exchangesOf(
  script: string,
  { file }: Pick<BurstPlan, 'file'>,
  { evidence }: Pick<BurstRun, 'evidence'>,
): readonly BurstExchange[] {
  const index = file.scripts.findIndex(({ name }) => name === script)
  return evidence.scripts[index]?.exchanges ?? []
}

/** Joins what was judged with what every scenario of bursts must show: all scripts at their end, floors, contention. */
export function burstResult(
  plan: BurstPlan,
  run: BurstRun,
  { k6Version, judgement }: { readonly k6Version: string; readonly judgement: BurstJudgement },
): LoadResult {
  const exchanges = run.evidence.scripts.flatMap((script) => script.exchanges)
  const requests = countRequests(plan, exchanges)
  const findings = findingsFrom(judgement.statements)
  return loadResultOf(
    {
      scenario: plan.scenario,
      findings,
      requests,
      measurements: { ...measure(plan, run, exchanges), ...judgement.measurements },
      windows: judgement.windows ?? [],
      undecided: undecidedReason(plan, run, judgement),
      passReason: judgement.passReason,
    },
    run,
    k6Version,
  )
}

/** Scripts without an end, then what the judge left open. */
function undecidedReason(
  plan: BurstPlan,
  run: BurstRun,
  judgement: BurstJudgement,
): string | undefined {
  const unfinished = run.evidence.scripts.flatMap(({ end }, index) =>
    end === 'done' ? [] : [`${plan.file.scripts[index]?.name} (${end ?? 'stopped'})`],
  )
  if (unfinished.length > 0)
    return `Scripts came to no end: ${unfinished.join(', ')}${transportErrors(run)}.`
  return notDecided(judgement)
}

/** Why the first request without an answer had none. */
function transportErrors({ evidence }: BurstRun): string {
  const lost = evidence.scripts
    .flatMap(({ exchanges }) => exchanges)
    .find((each) => each.status === 0 && each.code !== undefined)
  return transportErrorNote(lost?.code)
}

function countRequests(
  plan: BurstPlan,
  exchanges: readonly BurstExchange[],
): LoadResult['requests'] {
  return {
    planned: plan.requestsMin,
    sent: exchanges.length,
    admitted: exchanges.filter(isAccepted).length,
    refused: exchanges.filter(isThrottled).length,
    failed: exchanges.filter((each) => isLost(each)).length,
    capped: exchanges.filter(isCapRefusal).length,
    rejected: exchanges.filter((each) => meaningOf(each) === 'refused otherwise').length,
  }
}

/** Latencies are each request's own; spreads are bounds, taken from the second warm-up, whose requests are all alike. */
function measure(
  { budget }: BurstPlan,
  run: BurstRun,
  exchanges: readonly BurstExchange[],
): LoadResult['measurements'] {
  const releases = releasesOf(exchanges)
  const warm = releases.filter(
    ({ exchanges: [first, ...rest] }) =>
      first?.kind === 'warm' && rest.length > 0 && !first.newConnection,
  )
  const bursts = releases.filter(
    ({ exchanges: [first, ...rest] }) => first?.kind !== 'warm' && rest.length > 0,
  )
  const orders = new Map(
    exchanges
      .filter((each) => each.kind === 'buy' && isNamed(each))
      .map(({ orderId, orders: count = 1 }) => [orderId, count]),
  )
  const paid = new Map(
    exchanges
      .filter((each) => each.kind === 'buy' && isNamed(each))
      .map(({ orderId, price }) => [orderId, parseMoney(price) ?? 0n]),
  )
  const spent = [...paid.values()].reduce((sum, price) => sum + price, 0n)
  return {
    durationSeconds: rounded(run.durationSeconds),
    clockStepMs: rounded(run.clockStepMs),
    requestsPlannedMax: budget.requestsMax,
    ordersPlannedMax: budget.ordersMax,
    ordersMade: [...orders.values()].reduce((sum, count) => sum + count, 0),
    ...(budget.money && {
      moneyPlannedMax: `${budget.money.currency} ${formatMoney(budget.money.micros)}`,
      moneySpent: `${budget.money.currency} ${formatMoney(spent)}`,
    }),
    releases: bursts.length,
    overlappingPairs: bursts.reduce((sum, each) => sum + each.overlappingPairs, 0),
    inFlightMax: Math.max(0, ...bursts.map(({ inFlightMin }) => inFlightMin)),
    ...percentilesOf('arrivalSpreadMsMax', warm.map(arrivalSpreadMsMax)),
    ...percentilesOf(
      'orderLatencyMs',
      exchanges.filter((each) => each.kind === 'buy').map(({ durationMs }) => durationMs),
    ),
  }
}
