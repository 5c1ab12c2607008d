import type { CheckDefinition, Needs, RequirementId } from '../engine/kit.ts'
import { check, inapplicable, offeredOf } from '../engine/kit.ts'
import { POSITIONS } from '../steps/cart.ts'
import { buyAtOnce, expectWithinCap, needsAtOnce } from '../steps/races/at-once.ts'
import { OTHER_KINDS, orderKind, VOUCHERS, type Kind } from '../steps/kinds.ts'

/** As many as a checkout has positions, so that no kind is much cheaper than the others. */
const MANY_VOUCHERS = orderKind({
  ...VOUCHERS,
  order: () => Promise.resolve({ product: 'voucher', quantity: POSITIONS }),
})

type AtOnce = {
  readonly requirement: RequirementId
  readonly kinds: readonly Kind[]
  readonly needs: Needs
}

function atOnce(id: string, what: string, { requirement, kinds, needs }: AtOnce): CheckDefinition {
  return check({
    id: `transaction-limit.concurrent-${id}`,
    title: `${what} that are bought at the same time never take a key beyond its cap`,
    requirements: [requirement],
    needs: needsAtOnce(kinds, needs),
    run: async (context) => {
      const offered = offeredOf(context.target, kinds)
      if (offered.length < Math.min(kinds.length, 2))
        inapplicable('the target sells but one of these kinds')
      const bought = await buyAtOnce(context, { kinds: offered, what })
      expectWithinCap(context, requirement, { what, ...bought })
    },
  })
}

/** Of one kind alone. */
function kindAtOnce(
  kind: Kind,
  [id, what]: readonly [string, string],
  requirement: RequirementId = 'CAP-13',
): CheckDefinition {
  return atOnce(id, what, { requirement, kinds: [kind], needs: kind.needs })
}

const { topUp, esim, gift, later, long, units } = OTHER_KINDS
export const topUps = kindAtOnce(topUp, ['top-ups', 'top-ups'], 'CAP-18')
export const esims = kindAtOnce(esim, ['esims', 'eSIMs'], 'CAP-19')
export const gifts = kindAtOnce(gift, ['gifts', 'gifts'], 'CAP-20')
export const laterVouchers = kindAtOnce(later, ['later', 'vouchers that come later'])
export const longOrders = kindAtOnce(long, ['long-orders', 'long orders'])
export const unitsOfTopUps = kindAtOnce(units, ['units', 'top-ups by units'], 'CAP-18')
export const mixed = atOnce('kinds', 'vouchers, top-ups and checkouts', {
  requirement: 'CAP-13',
  kinds: [MANY_VOUCHERS, OTHER_KINDS.topUp, OTHER_KINDS.checkout],
  needs: VOUCHERS.needs,
})
