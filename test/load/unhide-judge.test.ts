import { selectScenarios } from '../../harness/load/shared/scenarios.ts'
import { describe, expect, test } from 'vitest'
import { judgeUnhideBudgets } from '../../harness/load/bursts/unhide-judge.ts'
import { MASKED_SCRIPT, MASKED_LIMIT } from '../../harness/load/bursts/unhide-masked-script.ts'
import { draftUnhide, planUnhide } from '../../harness/load/bursts/unhide-plan.ts'
import {
  budgetOfTopic,
  isOfChildren,
  unhideBudgets,
  type UnhideTopic,
} from '../../harness/load/bursts/unhide-topics.ts'
import { burstResult } from '../../harness/load/bursts/burst-result.ts'
import { isMasked, type RequestKind } from '../../load/protocol/bursts.ts'
import type { LoadResult } from '../../schemas/generated/run-record.ts'
import { ANSWER, simulatedContext, simulateBursts } from './burst-simulator.ts'
import type { SimulatedRequest, SimulatedService } from './burst-simulator.ts'

/** All that the scenario names, but for what its simulation does not show. */
function decidable(...others: string[]): string[] {
  return selectScenarios(['unhide-budgets'])
    .flatMap(({ requirements }) => requirements)
    .filter((id) => !others.includes(id))
}

const context = simulatedContext()
const draft = draftUnhide(context)
if ('lacks' in draft) throw new Error(draft.lacks)
const plan = await planUnhide(context, draft)
const { purchasables } = draft

type Budgets = {
  readonly unlimited?: 'pending' | 'completed'
  readonly perAlias?: boolean
  readonly perAccount?: boolean
  /** What admission lets in, of both budgets. */
  readonly admission?: (pending: number, completed: number) => number
  readonly refusedAreFree?: boolean
  /** Windows end and begin at this moment of each script. */
  readonly edgeMs?: number
  readonly completesAtMs?: number
  /** Orders of a checkout spend what their checkout has. */
  readonly sharedByChildren?: boolean
  /** Of checkouts only the first order is looked at. */
  readonly byFirstChild?: boolean
  /** What a refusal promises, instead of the rest of its window. */
  readonly promise?: string
  /** Windows of orders that are looked through last this share of what is stated. */
  readonly windowShare?: number
  /** So many of them are shorter; default all. */
  readonly shortWindows?: number
  /** Masked reads of this kind have a budget of their own. */
  readonly apart?: RequestKind
  /** Masked reads that pass in each window. */
  readonly maskedCount?: number
}

const WATCHED: ReadonlySet<UnhideTopic> = new Set(['completed window', 'pending window'])

/** The number of the window, of those that are looked through, and what is left of it in milliseconds. */
function watchedWindow(
  nowMs: number,
  windowSeconds: number,
  { edgeMs = 0, windowShare = 1, shortWindows = Infinity }: Budgets,
): { readonly number: number; readonly leftMs: number } {
  let [number, endMs] = [0, edgeMs]
  while (endMs <= nowMs) endMs += 1000 * windowSeconds * (number++ < shortWindows ? windowShare : 1)
  return { number, leftMs: endMs - nowMs }
}

const AT_ONCE: ReadonlySet<string> = new Set(['voucher', 'dtu'])

const FINAL: Readonly<Partial<Record<string, string>>> = {
  'voucher-partial': 'PARTIALLY_COMPLETED',
  'voucher-cancelled': 'CANCELLED',
}

/** What a script buys under a reference: one order, or several. */
function abilitiesOf(script: number, reference: number): string[] {
  const purchases = plan.file.scripts[script]?.steps.flatMap((step) =>
    step.do === 'buy' ? step.purchases : [],
  )
  const product = purchases?.find((each) => each.reference === reference)?.product ?? 0
  const { ability = 'voucher', lines } = purchasables[product] ?? {}
  return lines?.map((line) => line.product) ?? [ability]
}

function isDone(state: string): boolean {
  return state === 'SUCCESS' || state === 'CANCELLED'
}

function service(faults: Budgets): SimulatedService {
  const used = new Map<string, number>()
  const take = (name: string, count: number): boolean => {
    const before = used.get(name) ?? 0
    if (before >= count) return false
    used.set(name, before + 1)
    return true
  }
  const isRefused = (request: SimulatedRequest, state: 'pending' | 'completed'): boolean => {
    const { script, reference, kind, nowMs, child = '' } = request
    const topic = plan.file.scripts[script]?.name as UnhideTopic
    const budgets = unhideBudgets(context, topic)
    // The other scripts end within one window of admission.
    const { windowSeconds } = budgets.admission
    const isSpread = topic === 'pending spread' || topic === 'completed spread'
    const isTimed = topic === 'admission window' || topic === 'promise' || isSpread
    const turn = isTimed ? Math.floor(nowMs / 1000 / windowSeconds) : 0
    const edge = nowMs < (faults.edgeMs ?? 0) ? 'before' : 'after'
    const watched = watchedWindow(nowMs, windowSeconds, faults)
    const window = WATCHED.has(topic)
      ? watched.number
      : topic === 'promise'
        ? `${edge} ${turn}`
        : isSpread
          ? Math.floor(nowMs / 1000 / budgets[budgetOfTopic(topic)].windowSeconds)
          : edge
    const alias = faults.perAlias && !isOfChildren(topic) ? kind : ''
    const isApart = isOfChildren(topic) && !faults.sharedByChildren
    const order = `${reference} ${isApart ? child : ''}`
    const partition = `${script} ${faults.perAccount ? '' : order} ${window} ${alias}`
    const { pending, completed } = budgets
    const sum = (faults.admission ?? ((a, b) => a + b))(pending.count, completed.count)
    const isFree =
      faults.refusedAreFree && (used.get(`${partition} ${state}`) ?? 0) >= budgets[state].count
    if (isFree) return true
    if (!take(`${partition} ${turn} admission`, sum)) return true
    return faults.unlimited === state ? false : !take(`${partition} ${state}`, budgets[state].count)
  }
  const isMaskedRefused = ({ kind, nowMs }: SimulatedRequest): boolean => {
    const { count, windowSeconds } = MASKED_LIMIT
    const window = Math.floor((nowMs - (faults.edgeMs ?? 0)) / 1000 / windowSeconds)
    const apart = faults.apart === kind ? kind : ''
    return !take(`masked ${window} ${apart}`, faults.maskedCount ?? count)
  }
  return (requests) =>
    requests.map((request) => {
      const { kind, script, reference, product, nowMs, child } = request
      if (kind === 'warm') return ANSWER
      const all = abilitiesOf(script, reference).map((ability) => {
        const isPending = !AT_ONCE.has(ability) && nowMs < (faults.completesAtMs ?? 1500)
        return isPending ? 'IN_PROGRESS' : (FINAL[ability] ?? 'SUCCESS')
      })
      const states = all.filter((_, index) => child === undefined || index === child)
      const state = states.join(',')
      const ids = states.map((_, index) => `order-${script}-${reference}-${child ?? index}`)
      const order = { ...ANSWER, orderId: ids.join(','), price: `${product + 1}.00` }
      if (kind === 'buy')
        return { ...order, status: states.includes('IN_PROGRESS') ? 202 : 200, state }
      const deciding = faults.byFirstChild ? states.slice(0, 1) : states
      const isMaskedScript = plan.file.scripts[script]?.name === MASKED_SCRIPT
      if (isMaskedScript && isMasked(kind) && isMaskedRefused(request))
        return { ...ANSWER, status: 429, code: '8', retryAfter: '3' }
      const isBudgeted = !isMasked(kind) && !isMaskedScript
      if (isBudgeted && isRefused(request, deciding.some(isDone) ? 'completed' : 'pending'))
        return {
          ...ANSWER,
          status: 429,
          code: '8',
          retryAfter: retryAfterOf(script, nowMs, faults),
        }
      return { ...order, state, items: String(states.length) }
    })
}

/** Whole seconds until the window is over. */
function retryAfterOf(script: number, nowMs: number, faults: Budgets): string {
  if (faults.promise !== undefined) return faults.promise
  const topic = plan.file.scripts[script]?.name as UnhideTopic
  const { windowSeconds } = unhideBudgets(context, topic)[budgetOfTopic(topic)]
  if (WATCHED.has(topic))
    return String(Math.ceil(watchedWindow(nowMs, windowSeconds, faults).leftMs / 1000))
  return String(Math.ceil(windowSeconds - ((nowMs / 1000) % windowSeconds)))
}

async function judge(faults: Budgets): Promise<LoadResult> {
  const run = await simulateBursts(plan, service(faults))
  return burstResult(plan, run, '2.2.0', judgeUnhideBudgets(plan, run, context))
}

function verdicts({ findings }: LoadResult, verdict: string): string[] {
  return findings.filter((each) => each.verdict === verdict).map(({ requirement }) => requirement)
}

test('budgets that hold pass, each order with its windows', async () => {
  const result = await judge({})
  expect(result.verdict, result.reason).toBe('pass')
  expect(verdicts(result, 'pass')).toEqual(
    decidable('RATE-15', 'UNHIDE-01', 'UNHIDE-02', 'UNHIDE-03', 'UNHIDE-23', 'UNHIDE-25'),
  )
  expect(result.windows).toHaveLength(58)
  expect(result.windows.every(({ outcome }) => outcome.violations === 0)).toBe(true)
  expect(result.requests.sent).toBeLessThanOrEqual(plan.requestsMax)
})

describe('budgets fail', () => {
  test.each<[string, Budgets, string[]]>([
    ['of pending orders without a bound', { unlimited: 'pending' }, ['UNHIDE-05']],
    ['of completed orders without a bound', { unlimited: 'completed' }, ['UNHIDE-07', 'UNHIDE-10']],
    ['for each name', { perAlias: true }, ['UNHIDE-13']],
    ['for an account', { perAccount: true }, ['UNHIDE-14']],
    ['without admission', { admission: () => Infinity }, ['UNHIDE-17']],
    ['with admission of the larger count', { admission: Math.max }, ['UNHIDE-17']],
    ['with one attempt too many', { admission: (a, b) => a + b + 1 }, ['UNHIDE-17']],
    ['with one attempt too few', { admission: (a, b) => a + b - 1 }, ['UNHIDE-17']],
    ['with refused attempts for free', { refusedAreFree: true }, ['UNHIDE-17']],
    ['by the first order of a checkout', { byFirstChild: true }, ['UNHIDE-15']],
    ['for a checkout and its orders at once', { sharedByChildren: true }, ['UNHIDE-16']],
    ['with promises that are too short', { promise: '1' }, ['RATE-08']],
    ['with windows that are short by a quarter', { windowShare: 0.75 }, ['RATE-02']],
  ])('%s', async (_, faults, requirements) => {
    const result = await judge(faults)
    expect(result.verdict, result.reason).toBe('fail')
    expect(verdicts(result, 'fail')).toEqual(expect.arrayContaining(requirements) as string[])
  })
})

test.each([0, 300, 1500, 2900])(
  'windows that are short by a quarter are found wherever they start: %i ms',
  async (edgeMs) => {
    const result = await judge({ windowShare: 0.75, edgeMs })
    const found = result.findings.find(({ requirement }) => requirement === 'RATE-02')
    expect(found?.verdict).toBe('fail')
    expect(found?.observed).toContain('completed window order 1: 2 windows lasted 3.')
    expect(found?.observed).toContain('pending window order 1: 2 windows lasted 3.')
  },
)

test('one short window may be a hiccup of a clock', async () => {
  const result = await judge({ windowShare: 0.75, edgeMs: 1000, shortWindows: 1 })
  expect(result.verdict).toBe('inconclusive')
  expect(result.reason).toContain('1 window lasted')
})

test('windows are as long as stated though every refusal tells the whole of them', async () => {
  const result = await judge({ promise: '4' })
  expect(verdicts(result, 'pass')).toContain('RATE-02')
  expect(result.verdict, result.reason).toBe('pass')
})

test.each([400, 410, 500, 1000, 1700])('an edge after %i ms makes no alarm', async (edgeMs) => {
  expect(verdicts(await judge({ edgeMs }), 'fail')).toEqual([])
})

test('orders that complete too early leave the pending budget open', async () => {
  const result = await judge({ completesAtMs: 0 })
  expect(result.verdict).toBe('inconclusive')
  expect(verdicts(result, 'inconclusive')).toEqual([
    'UNHIDE-05',
    'UNHIDE-13',
    'UNHIDE-17',
    'UNHIDE-18',
  ])
  // What other orders showed stands.
  expect(verdicts(result, 'pass')).toContain('UNHIDE-06')
  expect(result.reason).toContain('no order stayed pending')
})

test('orders that never complete leave admission open', async () => {
  const result = await judge({ completesAtMs: Infinity })
  expect(result.verdict).toBe('inconclusive')
  expect(result.reason).toContain('no order could be read as planned, then end')
})

test('with plain vouchers alone only completed budgets are tried', async () => {
  const { voucher } = context.target.products
  const products = voucher ? { voucher } : {}
  const drafted = draftUnhide({ ...context, target: { ...context.target, products } })
  const scripts = 'lacks' in drafted ? [] : drafted.scripts.map(({ name }) => name)
  expect(scripts).toEqual([
    'completed',
    'promise',
    'completed window',
    'completed spread',
    MASKED_SCRIPT,
    'children',
    'children first',
  ])
})

test.each([
  ['by both names together', { apart: 'masked-by-both' }, 'RATE-16'],
  ['one too many', { maskedCount: MASKED_LIMIT.count + 1 }, 'RATE-02'],
  ['one too few', { maskedCount: MASKED_LIMIT.count - 1 }, 'RATE-01'],
] as const)('masked reads %s', async (_, faults, requirement) => {
  expect(verdicts(await judge(faults), 'fail')).toEqual([requirement])
})
