/** One run, recorded as exchanges at rest and as evidence of k6: the rules of answers say the same of both. */
import { describe, expect, test } from 'vitest'
import { answerOf as answerAtRest } from '../../conformance/engine/answer.ts'
import type { Exchange } from '../../harness/client/exchange.ts'
import { answerOf, ruleStatements } from '../../harness/load/shared/rule-tally.ts'
import { isCapRefusal, isThrottled } from '../../contract/answers.ts'
import {
  CAP_MARK_RULES,
  CONTENTION_RULE,
  CONTENTION_WAIT_RULE,
  REFUSAL_RULES,
} from '../../harness/judge/rules/refusals.ts'
import type { Answer } from '../../harness/judge/rules/rule.ts'
import type { Statement } from '../../harness/load/shared/statements.ts'
import { priceBreach, type OrderAnswer } from '../../harness/judge/rules/replays.ts'
import type { BurstExchange } from '../../harness/load/bursts/burst-import.ts'
import { isNamed } from '../../harness/load/bursts/burst-proof.ts'
import { burstRun } from './virtual-load.ts'
import { recorded } from './recorded-network.ts'
import { virtualNetwork, type VirtualAnswer } from './virtual-network.ts'

function said(answers: readonly Answer[]): Statement[] {
  const throttled = answers.filter(isThrottled)
  return [
    ...ruleStatements(REFUSAL_RULES, throttled, '429'),
    ...ruleStatements(CAP_MARK_RULES, answers.filter(isCapRefusal), '409'),
    ...ruleStatements([CONTENTION_RULE], answers, 'all'),
    ...ruleStatements([CONTENTION_WAIT_RULE], throttled, '429'),
  ]
}

/** Changes what a client gets. */
type Change = (answer: VirtualAnswer) => VirtualAnswer

type Recorded = { readonly exchanges: Exchange[]; readonly rows: BurstExchange[] }

async function bothRecords(
  name: 'spend-contention' | 'replay-storm',
  faults: string[],
  change: Change = (answer) => answer,
): Promise<Recorded> {
  const exchanges: Exchange[] = []
  const service = virtualNetwork({ faults })
  const send: typeof service.send = async (request) => change(await service.send(request))
  const network = recorded({ ...service, send }, exchanges)
  const { run } = await burstRun(name, network)
  const rows = run.evidence.scripts.flatMap((script) => script.exchanges)
  expect(exchanges).toHaveLength(rows.length)
  return { exchanges, rows }
}

async function bothSides(
  faults: string[],
  change?: Change,
): Promise<{ readonly atRest: Statement[]; readonly underLoad: Statement[] }> {
  const { exchanges, rows } = await bothRecords('spend-contention', faults, change)
  return { atRest: said(exchanges.map(answerAtRest)), underLoad: said(rows.map(answerOf)) }
}

/** What answers that name one order have otherwise than the first of them. */
function pricesApart(answers: readonly OrderAnswer[]): string[] {
  return [...Map.groupBy(answers, ({ orderId }) => orderId).values()]
    .flatMap(([first, ...others]) => others.flatMap((each) => priceBreach(first ?? {}, each) ?? []))
    .toSorted()
}

/** At rest, the answer to a purchase of one order. */
function ordersAtRest(exchanges: readonly Exchange[]): OrderAnswer[] {
  return exchanges
    .filter(({ request: { method, url } }) => method === 'POST' && url.endsWith('/orders'))
    .map(({ json }) => (json as { data?: Record<string, unknown> }).data ?? {})
    .filter(({ orderId }) => orderId !== undefined)
    .map(({ orderId, status, price, currency }) => ({ orderId, state: status, price, currency }))
}

function brokenIn(statements: readonly Statement[]): string[] {
  return statements.flatMap(({ requirement, verdict }) => (verdict === 'fail' ? [requirement] : []))
}

/** Which of them comes first is chance: scripts run side by side. */
function counted(statements: readonly Statement[]): string[] {
  return statements.map(
    ({ requirement, observed }) => `${requirement} ${observed.split(' had ')[0]}`,
  )
}

describe('the rules of answers say the same at rest and under load of', () => {
  test.each<[string, string[], string[]]>([
    ['a right service', [], []],
    ['contention without a wait', ['contention-without-retry-after'], ['RATE-06', 'BUSY-02']],
    ['contention as a 502', ['contention-bad-gateway'], ['BUSY-01']],
    ['a cap with another number', ['cap-status-code'], ['CAP-04']],
    ['a cap with the number of windows', ['cap-status-code-rate-limit'], ['CAP-04', 'CAP-17']],
    ['a cap without its errorCode', ['cap-error-code-missing'], ['CAP-05']],
  ])('%s', async (_, faults, broken) => {
    const { atRest, underLoad } = await bothSides(faults)
    expect(brokenIn(underLoad)).toEqual(broken)
    expect(brokenIn(atRest)).toEqual(broken)
    expect(counted(atRest)).toEqual(counted(underLoad))
  })

  const LONG = '1234567890'
  test.each<[string, Partial<VirtualAnswer>, string[]]>([
    ['a 429 without an envelope', { body: 'Too Many Requests' }, ['RATE-05']],
    ['a 429 of another number', { body: '{"statusCode":13}' }, ['RATE-05', 'BUSY-01']],
    ['a wait of ten digits', { headers: { 'Retry-After': LONG }, retryAfter: LONG }, []],
  ])('%s', async (_, changed, broken) => {
    const { atRest, underLoad } = await bothSides([], (answer) =>
      isThrottled(answer) ? { ...answer, ...changed } : answer,
    )
    expect(brokenIn(underLoad)).toEqual(broken)
    expect(brokenIn(atRest)).toEqual(broken)
    expect(counted(atRest)).toEqual(counted(underLoad))
  })
})

describe('the rule of replays says the same at rest and under load of', () => {
  test.each<[string, string[]]>([
    ['a right service', []],
    ['replays of another price', ['replay-other-price']],
  ])('%s', async (_, faults) => {
    const { exchanges, rows } = await bothRecords('replay-storm', faults)
    const atRest = pricesApart(ordersAtRest(exchanges))
    const bought = rows.filter((each) => isNamed(each) && each.orders === undefined)
    expect(atRest.length > 0).toBe(faults.length > 0)
    expect(pricesApart(bought)).toEqual(atRest)
  })
})
