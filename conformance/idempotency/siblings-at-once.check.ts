import type { CheckContext, Exchange, RequirementId } from '../engine/kit.ts'
import { check, isAccepted, needSuccess, show, showAnswer, untested } from '../engine/kit.ts'
import {
  conclude,
  isBroken,
  repeatUntilPower,
  BURSTS,
  BURSTS_MAX,
  type JudgedTrial,
} from '../steps/races/race.ts'
import { makeRoom, trialOf } from '../steps/races/burst.ts'
import { OTHER_KINDS, VOUCHERS, type Kind } from '../steps/kinds.ts'
import { burstWaits } from '../steps/races/replay-bursts.ts'
import { RETURN_429_UNPACED } from '../steps/rate-limits/between-refusals.ts'

/** Copies of each key that are released together. */
const COPIES = 3

const ROLES = ['full', 'sibling'] as const

type Raced = {
  readonly kind: Kind
  readonly requirement: RequirementId
  readonly operation: 'createOrder' | 'createCart'
}

/** Sends copies of one purchase at once with two keys. What the answers name is all that is judged: each key reads its own orders. */
async function burstOf(
  context: CheckContext,
  { kind, requirement, operation }: Raced,
  answered: Exchange[],
): Promise<JudgedTrial> {
  const referenceId = context.reference()
  const sends = await Promise.all(ROLES.map((role) => kind.begin(context, role, referenceId)))
  await makeRoom({ context, exchanges: answered }, COPIES * sends.length, operation)
  const width = Array.from({ length: COPIES })
  await Promise.all(
    width.flatMap(() => ROLES.map((role) => context.api.as(role).whoami(RETURN_429_UNPACED))),
  )
  const copies = await Promise.all(
    width.flatMap(() => sends.map((send) => send(RETURN_429_UNPACED))),
  )
  answered.push(...copies)
  const named = new Set(copies.map(kind.idOf).filter((id) => id !== undefined))
  const trial = trialOf(copies, answered)
  const holds = named.size <= 1
  const record = (): void =>
    void context.expect(requirement).that(`copies of ${kind.what} sent together by two keys`, {
      holds,
      expected: 'every answer that names a purchase names the same one',
      observed: `the answers name ${show([...named])}; ${trial.text}`,
      exchanges: copies,
    })
  return { ...trial, holds, record }
}

/** How another key is answered under a used reference is not shown, only that it buys nothing (OPEN-39). */
function boughtOnce(raced: Raced): ReturnType<typeof check> {
  const { kind, requirement } = raced
  return check({
    id: `idempotency.siblings-at-once-${kind.name}`,
    title: `copies of ${kind.what} that two keys of an account send at once are bought once`,
    requirements: [requirement],
    needs: {
      ...kind.needs,
      roles: ROLES,
      purchases: kind.orders * (2 + 2 * BURSTS_MAX),
      waits: burstWaits(BURSTS, 1, 2 * COPIES),
      tries: BURSTS_MAX / BURSTS,
    },
    run: async (context) => {
      if (context.keys.key('full').account !== context.keys.key('sibling').account)
        untested('the keys "full" and "sibling" are of two accounts, whose references are apart')
      // Control: one after the other they buy once.
      const referenceId = context.reference()
      const bought = needSuccess(await (await kind.begin(context, 'full', referenceId))())
      const again = await (await kind.begin(context, 'sibling', referenceId))()
      if (isAccepted(again) && kind.idOf(again) !== kind.idOf(bought))
        untested(
          `another key buys under the reference, which IDEM-10 decides: ${showAnswer(again)}`,
        )
      const answered = [bought, again]
      const burst = (): Promise<JudgedTrial> => burstOf(context, raced, answered)
      conclude(await repeatUntilPower(burst, { isOver: isBroken }), 'copies')
    },
  })
}

const ofOrders = { requirement: 'IDEM-12', operation: 'createOrder' } as const

export const vouchersOfSiblings = boughtOnce({ kind: VOUCHERS, ...ofOrders })
export const topUpsOfSiblings = boughtOnce({ kind: OTHER_KINDS.topUp, ...ofOrders })
export const esimsOfSiblings = boughtOnce({ kind: OTHER_KINDS.esim, ...ofOrders })
export const checkoutsOfSiblings = boughtOnce({
  kind: OTHER_KINDS.checkout,
  requirement: 'CART-04',
  operation: 'createCart',
})
