import { resentOutcome } from '../../judge/rules/purchases.ts'
import { CONTENTION_WAIT_RULE, TYPICAL_WAIT_RULE } from '../../judge/rules/refusals.ts'
import { judgeSpend } from '../../judge/spend.ts'
import { answerOf, contentionRules } from '../shared/rule-tally.ts'
import { boundaryAnswer, sayFor } from './spend-keys.ts'
import type { KeyRun, Say } from './spend-keys.ts'
import { eventsOf, isOrderDecided } from './spend-orders.ts'
import type { Order } from './spend-orders.ts'
import type { Statement } from '../shared/statements.ts'
import type { BurstExchange } from './burst-import.ts'
import { isCapRefusal, isThrottled, isLost } from '../../../contract/answers.ts'
import { isNamed } from './burst-proof.ts'

/** What contention may look like, on a key on which it was proved. */
export function contentionStatements(key: KeyRun): Statement[] {
  const say = sayFor(key)
  const { overlapping, orders } = key
  if (overlapping.length === 0) return []
  const burst = overlapping.flatMap(({ exchanges }) => exchanges)
  const statements = contentionRules(burst.map(answerOf), key.name)
  const contended = orders.filter(({ attempts }) => attempts.some(isThrottled))
  // A service may also make orders wait: then nothing can be said about its refusals.
  if (contended.length === 0) return statements
  return [
    ...statements,
    ...waitStatements(say, burst),
    ...traceStatements(say, key),
    ...(key.headroomUnits !== null ? headroomStatements(say, key) : []),
    repeatStatement(say, contended),
  ]
}

/** Whether the wait is as short as is typical. What is no wait at all is the matter of BUSY-02. */
function waitStatements(say: Say, burst: readonly BurstExchange[]): Statement[] {
  const refused = burst.filter(isThrottled).map(answerOf)
  if (refused.some((each) => CONTENTION_WAIT_RULE.breach(each) !== undefined)) return []
  const { requirement, breach } = TYPICAL_WAIT_RULE
  const verdict = refused.every((each) => breach(each) === undefined) ? 'pass' : 'warn'
  const waits = new Set(refused.flatMap(({ retryAfters }) => retryAfters))
  return [say(requirement, verdict, `contended answers named ${[...waits].join(', ')} s`)]
}

/** Orders of these phases were sent before they are looked for; a contended one may be bought when it is sent again. */
const BEFORE_LOOKS: ReadonlySet<BurstExchange['phase']> = new Set(['burst', 'spare'])

/** The masked reads of contended orders before they were sent again; the read of an accepted one is the control. */
function traceStatements(say: Say, { looks, orders }: KeyRun): Statement[] {
  const isBought = ({ reference }: BurstExchange): boolean => {
    const order = orders.find((each) => each.reference === reference)
    const before = order?.attempts.filter(({ phase }) => BEFORE_LOOKS.has(phase)) ?? []
    return before.some((each) => isNamed(each) || isLost(each))
  }
  // A filter that finds nothing may also be answered by 404.
  const answered = looks.filter(({ status }) => status === 200 || status === 404)
  const control = answered.some((look) => isBought(look) && look.items === 1)
  const traces = answered.filter((look) => !isBought(look))
  const found = traces.filter(({ items = 0 }) => items > 0)
  if (!control || traces.length === 0) return []
  return [
    found.length > 0
      ? say('BUSY-04', 'fail', `${found.length} of ${traces.length} contended orders were found`)
      : say('BUSY-04', 'pass', `none of ${traces.length} contended orders was found`),
  ]
}

function headroomStatements(say: Say, key: KeyRun): Statement[] {
  const { unit, headroomUnits, orders } = key
  const headroom = BigInt(headroomUnits ?? 0) * unit
  const events = eventsOf(orders, unit)
  const last = boundaryAnswer(key, 'cap-last-unit')
  const most = boundaryAnswer(key, 'cap-fill')
  if (!orders.every(isOrderDecided) || !last || judgeSpend(headroom, events).overspent > 0n)
    return []
  // The last unit alone may be refused by a cap that is strict: that is no contended order's doing.
  const withheld = most ? isCapRefusal(most) : false
  if (withheld)
    return [
      say(
        'BUSY-05',
        key.isExact ? 'fail' : 'inconclusive',
        'what the accepted orders leave was refused by the cap',
      ),
    ]
  return most && isNamed(most)
    ? [say('BUSY-05', 'pass', 'what the accepted orders leave could be bought')]
    : []
}

function repeatStatement(say: Say, contended: readonly Order[]): Statement {
  const outcomes = Map.groupBy(contended, resentOutcome)
  const [lost, ...others] = outcomes.get('refused otherwise') ?? []
  if (lost) {
    const { status } = lost.attempts.at(-1) ?? {}
    const observed = `${1 + others.length} of ${contended.length} orders were answered by HTTP ${status} when they were sent again`
    return say('BUSY-06', 'fail', observed)
  }
  const open = outcomes.get('open') ?? []
  return open.length > 0
    ? say('BUSY-06', 'inconclusive', `${open.length} orders stayed contended, also one by one`)
    : say('BUSY-06', 'pass', `${contended.length} contended orders were decided when sent again`)
}
