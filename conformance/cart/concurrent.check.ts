import type { CheckContext, Exchange } from '../engine/kit.ts'
import {
  check,
  isAccepted,
  isObject,
  makerOf,
  onlyWithControlSide,
  showAnswer,
  untested,
} from '../engine/kit.ts'
import { formatMoney, inHundredths, parseMoney, type Micros } from '../../harness/money.ts'
import { needPower, repeatUntilPower, BURSTS, BURSTS_MAX, type Trial } from '../steps/races/race.ts'
import { trialOf } from '../steps/races/burst.ts'
import { burstWaits } from '../steps/races/replay-bursts.ts'
import { checkout, CHECKS_OUT, entriesOf, LINES, POSITIONS } from '../steps/cart.ts'

/** Carts that are released together on one key whose cap has room for one. */
const CARTS = 8

type Burst = Trial & {
  readonly carts: readonly Exchange[]
  readonly spent: Micros
  readonly cap: Micros
}

/** What the orders of accepted carts cost. Whether a cancelled one gives its amount back is not shown: it is left out. */
function spentBy(carts: readonly Exchange[]): Micros {
  const entries = carts.filter(isAccepted).flatMap((exchange) => entriesOf(exchange) ?? [])
  return entries
    .filter(isObject)
    .filter(({ status }) => status !== 'CANCELLED')
    .reduce((sum, { price }) => sum + (parseMoney(price) ?? 0n), 0n)
}

/** Carts at once on a new key whose cap has room for one. */
async function release(context: CheckContext, price: Micros, answered: Exchange[]): Promise<Burst> {
  const cap = inHundredths(price)
  const scopes = ['product:read', 'orders:write', 'orders:read'] as const
  const made = await makerOf(context)({
    keys: [{ scopes, transactionLimit: formatMoney(cap) }],
  })
  const [api] = made ?? []
  if (!api) throw new Error('an account with one key has one caller')
  const full = api.as('full')
  const options = { throttled: 'return' } as const
  await Promise.all(Array.from({ length: CARTS }, () => full.whoami(options)))
  const cart = (): Parameters<typeof full.createCart>[0] => ({
    lines: LINES,
    referenceId: context.reference(),
  })
  const carts = await Promise.all(
    Array.from({ length: CARTS }, () => full.createCart(cart(), options)),
  )
  answered.push(...carts)
  return { ...trialOf(carts, answered), carts, cap, spent: spentBy(carts) }
}

function isOverspent({ spent, cap }: Burst): boolean {
  return spent > cap
}

export const cartsStayWithinCap = check({
  id: 'cart.concurrent-within-cap',
  title: `${CARTS} carts that arrive together never take a key beyond its cap`,
  requirements: ['BUSY-01', 'CAP-21'],
  needs: {
    ...CHECKS_OUT,
    capabilities: ['cart', 'transaction-limit'],
    purchases: POSITIONS * (1 + CARTS * BURSTS_MAX),
    waits: burstWaits(BURSTS, 1, CARTS),
    tries: BURSTS_MAX / BURSTS,
    ofKeysOfFile: onlyWithControlSide('keys with a cap of their own'),
  },
  run: async (context) => {
    const { exchange } = await checkout(context)
    const price = spentBy([exchange])
    if (price <= 0n) untested(`no price of the cart can be read: ${showAnswer(exchange)}`)
    const answered = [exchange]
    const bursts = await repeatUntilPower(() => release(context, price, answered), {
      isOver: (released) => released.some(isOverspent),
    })
    const carts = bursts.flatMap((burst) => burst.carts)
    const failed = carts.filter(({ response }) => (response?.status ?? 0) >= 500)
    context.expect('BUSY-01').that('carts that meet on one key are refused by 429, if at all', {
      holds: failed.length === 0,
      expected: 'no 5xx',
      observed: failed[0] ? showAnswer(failed[0]) : `none among ${carts.length} answers`,
      exchanges: failed.length > 0 ? failed : carts,
    })
    const broken = bursts.find(isOverspent)
    if (!broken) needPower(bursts, 'carts')
    const shown = broken ?? bursts[0]
    context.expect('CAP-21').that('carts that arrive together stay within the cap', {
      holds: broken === undefined,
      expected: `at most ${formatMoney(shown?.cap ?? 0n)} for all accepted of ${CARTS} carts, each at ${formatMoney(price)}`,
      observed: bursts
        .map(({ spent, text }) => `${formatMoney(spent)} accepted: ${text}`)
        .join('; '),
      exchanges: shown?.carts ?? [],
    })
  },
})
