import type { Role } from '../../contract/capabilities.ts'
import { STATUS_CODE } from '../../contract/wire.ts'
import type { CheckContext, CheckDefinition, Exchange, Needs } from '../engine/kit.ts'
import {
  check,
  inconclusive,
  isAccepted,
  isCapRefusal,
  isDecided,
  isRefusedForGood,
  isThrottled,
  needSuccess,
  showAnswer,
} from '../engine/kit.ts'
import { BUYS_VOUCHERS } from '../steps/orders.ts'
import { Buyer } from '../steps/buyer.ts'
import {
  openCappedKey,
  type CappedKey,
  CAPPED_KEY_PURCHASES,
  SPENDS_A_CAP,
} from '../steps/cap/capped-key.ts'
import {
  LARGE_SIZE,
  decideTogether,
  isWrong,
  LIVELOCK_BURSTS,
  needDecisions,
  ORDERS_MAX,
  ORDERS_USUAL,
  passesAlone,
  type Decisions,
} from '../steps/races/decisions.ts'
import { unitsOfBursts } from '../steps/cap/room.ts'
import { BURSTS, BURSTS_MAX, worthOf } from '../steps/races/race.ts'
import {
  makeRoom,
  pause,
  retry,
  burstWaits,
  windowIsFree,
  type Burst,
} from '../steps/races/burst.ts'

/** What a race on the cap takes at least. */
const RACE_UNITS = unitsOfBursts(BURSTS)

/** A buyer of either role, after a purchase that succeeded; the capped one with room for every order of the check. */
async function openBuyer(
  context: CheckContext,
  role: BuyerRole,
  units: number,
): Promise<{ buyer: Buyer } & Disposable> {
  if (role === 'capped') {
    const cappedKey = await openCappedKey(context)
    try {
      // The same holds without a cap: of a key that lasts the race of the cap comes first.
      cappedKey.needUnits(cappedKey.fresh ? units : units + RACE_UNITS)
    } catch (cause) {
      cappedKey[Symbol.dispose]()
      throw cause
    }
    return { buyer: cappedKey, [Symbol.dispose]: () => cappedKey[Symbol.dispose]() }
  }
  const buyer = new Buyer(context, role)
  needSuccess(await buyer.send(1, context.reference()))
  return { buyer, [Symbol.dispose]: () => {} }
}

type BuyerRole = Extract<Role, 'full' | 'capped'>

function needsOf(role: BuyerRole): Needs {
  const waits = burstWaits(BURSTS, LARGE_SIZE)
  const tries = BURSTS_MAX / BURSTS
  return role === 'capped'
    ? {
        ...SPENDS_A_CAP,
        transactionLimit: '200.00',
        purchases: CAPPED_KEY_PURCHASES + ORDERS_MAX + 1,
        waits,
        tries,
        drainsCap: 'again',
      }
    : { ...BUYS_VOUCHERS, roles: ['full'], purchases: ORDERS_MAX + 2, waits, tries }
}

function decided(role: BuyerRole, title: string): CheckDefinition {
  return check({
    id: `contention.decided-${role}`,
    title,
    requirements: ['BUSY-01', 'BUSY-08'],
    needs: needsOf(role),
    // Orders of others on the key can win a burst, in which none of its own is then decided.
    movedByOthers: { requirements: ['BUSY-08'] },
    run: async (context) => {
      using opened = await openBuyer(context, role, ORDERS_USUAL)
      const { buyer } = opened
      const decisions = await decideTogether(buyer)
      const bursts = [...decisions.large, ...decisions.small]
      const open = await retryAll(buyer, bursts)
      const broken = await brokenIn(buyer, bursts)
      const isBroken =
        broken.length > 0 || decisions.lost.length >= LIVELOCK_BURSTS || open !== undefined
      if (!isBroken) needDecisions(decisions)
      judgeRefusals(context, bursts, broken)
      judgeDecisions(context, decisions, open)
    },
  })
}

/** Sends what was not decided again, one by one; gives the first that is not decided then either, while another passes. */
async function retryAll(buyer: Buyer, bursts: readonly Burst[]): Promise<Exchange | undefined> {
  await pause(
    buyer,
    bursts.flatMap(({ first }) => first),
  )
  for (const order of bursts.flatMap(({ orders }) => orders)) {
    const last = await retry(buyer, order)
    if (isDecided(last)) continue
    if (!(await passesAlone(buyer)))
      inconclusive(`orders that were sent again met a spent window: ${showAnswer(last)}`)
    return last
  }
  return undefined
}

/** A single refusal may have a reason of its own. */
const ODD_MIN = 2

/** What no contention may be answered by: besides what is wrong in itself, another refusal of what passes alone. */
async function brokenIn(buyer: Buyer, bursts: readonly Burst[]): Promise<readonly Exchange[]> {
  const answers = bursts.flatMap(({ first }) => first)
  const wrong = answers.filter(isWrong)
  const odd = answers.filter((each) => isRefusedForGood(each) && !isCapRefusal(each))
  if (wrong.length > 0 || odd.length < ODD_MIN) return wrong
  const lone = await buyer.send(1, buyer.context.reference(), { throttled: 'return' })
  return isAccepted(lone) ? odd : []
}

function judgeRefusals(
  { expect }: CheckContext,
  bursts: readonly Burst[],
  broken: readonly Exchange[],
): void {
  const answers = bursts.flatMap(({ first }) => first)
  expect('BUSY-01').that('orders that overlap on one key are refused, if at all, as 429 with 8', {
    holds: broken.length === 0,
    expected: `success, or HTTP 429 with statusCode ${STATUS_CODE.limitReached}`,
    observed: broken[0]
      ? `${broken.length} of ${answers.length} break it, first: ${showAnswer(broken[0])}`
      : worthOf(bursts),
    exchanges: broken.length > 0 ? broken : answers,
  })
}

function judgeDecisions(
  { expect, observe }: CheckContext,
  { large, small, lost }: Decisions,
  open: Exchange | undefined,
): void {
  const bursts = lost.length > 0 ? lost : [...large, ...small]
  observe(
    'OPEN-79',
    `of ${large.length + small.length} bursts ${lost.length} refused all their orders`,
    (bursts[0]?.first ?? []).slice(0, 2),
  )
  expect('BUSY-08').that('among orders sent together at least one is decided', {
    holds: lost.length < LIVELOCK_BURSTS,
    expected: `fewer than ${LIVELOCK_BURSTS} bursts without a decision`,
    observed: `${lost.length} of ${large.length + small.length}; ${worthOf(bursts)}`,
    exchanges: bursts.flatMap(({ first }) => first),
  })
  expect('BUSY-08').that('the others are decided when they are sent again one by one', {
    holds: open === undefined,
    expected: 'every order is accepted or refused for good after retries',
    observed: open ? `one is not, while another passes: ${showAnswer(open)}` : 'all are',
    exchanges: open ? [open] : [],
  })
}

export const decidedOnCap = decided(
  'capped',
  'orders that overlap on a key with a cap are all decided, and none is answered by 5xx',
)
export const decidedWithoutCap = decided(
  'full',
  'orders that overlap on a key without a cap are all decided, and none is answered by 5xx',
)

const LONE_ORDERS = 6

/** Times that a lone order must be refused before it is held against the service: an upstream limit may be relayed once. */
const LONE_REFUSALS = 2
/** Lone orders after one refusal that must pass, so that it is taken for such a limit. */
const PASSED_AFTER_REFUSAL = 3
const LONE_ORDERS_MAX = LONE_ORDERS + PASSED_AFTER_REFUSAL

/** Lone orders of a key that never bought before: as many in a row are no upstream limit that another key does not meet. */
const FIRST_REFUSALS = 4

/** Refusals of a key that no order of its own can contend with, each waited out, while another key passes; none if one is accepted. */
async function refusedFromTheStart(context: CheckContext, sibling: Buyer): Promise<Exchange[]> {
  const lone = new Buyer(context, 'capped')
  const refused: Exchange[] = []
  while (refused.length < FIRST_REFUSALS) {
    const answer = await lone.send(1, context.reference(), { throttled: 'return' })
    if (!isThrottled(answer) || (await windowIsFree(lone, sibling)) !== true) return []
    refused.push(answer)
    await pause(lone, [answer])
  }
  return refused
}

type Alone = {
  readonly refused: readonly Exchange[]
  /** One was refused, and too few passed after it. */
  readonly isOpen: boolean
}

/** Orders of a capped key, each after the answer to the one before: those that were refused while another key passed. */
async function sendAlone(cappedKey: CappedKey, sibling: Buyer): Promise<Alone> {
  const refused: Exchange[] = []
  let passed = 0
  const isOpen = (): boolean => refused.length === 1 && passed < PASSED_AFTER_REFUSAL
  for (let sent = 0; sent < LONE_ORDERS_MAX && refused.length < LONE_REFUSALS; sent++) {
    if (sent >= LONE_ORDERS && !isOpen()) break
    await makeRoom(cappedKey, 2)
    const answer = await cappedKey.send(1, cappedKey.context.reference(), { throttled: 'return' })
    if (isAccepted(answer)) passed += 1
    if (!isThrottled(answer) || (await windowIsFree(cappedKey, sibling)) !== true) continue
    refused.push(answer)
    passed = 0
  }
  return { refused, isOpen: isOpen() }
}

export const alone = check({
  id: 'contention.alone',
  title: 'an order that no other overlaps is not refused for contention',
  requirements: ['BUSY-07'],
  needs: {
    ...SPENDS_A_CAP,
    roles: ['capped', 'full'],
    transactionLimit: '40.00',
    purchases: CAPPED_KEY_PURCHASES + 2 * LONE_ORDERS_MAX + 2 * FIRST_REFUSALS + 1,
  },
  run: async (context) => {
    const sibling = new Buyer(context, 'full')
    needSuccess(await sibling.send(1, context.reference()))
    // A key that lasts may be in use elsewhere.
    const always = context.isFresh ? await refusedFromTheStart(context, sibling) : []
    if (always[0]) {
      context.expect('BUSY-07').that('the first orders of a key are not refused by 429', {
        holds: false,
        expected: `one of ${FIRST_REFUSALS} is decided: each was sent alone, after its Retry-After`,
        observed: `all refused while another key of the account passed, first: ${showAnswer(always[0])}`,
        exchanges: [...always, ...sibling.exchanges.slice(-1)],
      })
      return
    }
    using cappedKey = await openCappedKey(context)
    cappedKey.needUnits(LONE_ORDERS)
    const { refused, isOpen } = await sendAlone(cappedKey, sibling)
    const passed = cappedKey.exchanges.filter(isAccepted)
    if (isOpen || passed.length + refused.length === 0)
      inconclusive(
        `${refused.length} of ${cappedKey.exchanges.length} lone orders were refused by 429 while another key passed`,
      )
    context.expect('BUSY-07').that('orders sent one after the other are not refused by 429', {
      holds: refused.length < LONE_REFUSALS,
      expected: `none of ${LONE_ORDERS} orders, each sent after the answer to the one before; a shop service may relay its own limit once`,
      observed: refused[0]
        ? `${refused.length} refused while another key of the account passed, first: ${showAnswer(refused[0])}`
        : `${passed.length} accepted`,
      exchanges:
        refused.length > 0 ? [...refused, ...sibling.exchanges.slice(-LONE_REFUSALS)] : passed,
    })
  },
})
