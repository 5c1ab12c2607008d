import type { Exchange } from '../../harness/client/exchange.ts'
import { check, type CheckContext, type CheckDefinition, type Needs } from '../engine/check.ts'
import { CHECKS_OUT, checkout, POSITIONS, sendCart } from '../steps/cart.ts'
import { showAnswer } from '../engine/describe.ts'
import { visibleText } from '../steps/allowlist-refusals.ts'
import { needSuccess } from '../engine/controls.ts'
import { ask, LOOKS_UP } from '../steps/lookup.ts'
import { BUYS_VOUCHERS } from '../steps/orders.ts'

type Call = (context: CheckContext, role: 'full' | 'blocked') => Promise<Exchange>

/** The allowlist guards every endpoint behind a key, not only those that read. */
function refusedToOutsiders(
  name: string,
  title: string,
  { needs, call }: { needs: Needs; call: Call },
): CheckDefinition {
  return check({
    id: `allowlist.unlisted-${name}`,
    title: `a caller outside the allowlist ${title}`,
    requirements: ['ALLOW-02', 'ALLOW-11'],
    needs: {
      ...needs,
      capabilities: [...(needs.capabilities ?? []), 'allowlist'],
      roles: ['full', 'blocked'],
    },
    run: async (context) => {
      needSuccess(await call(context, 'full'))
      const refused = await call(context, 'blocked')
      context.expect('ALLOW-02').status(refused, 403)
      expectNoEntry(context, refused)
    },
  })
}

function expectNoEntry({ keys, expect, leaveOpen }: CheckContext, exchange: Exchange): void {
  const entries = keys.key('blocked').allowlist
  if (entries === undefined) {
    leaveOpen('ALLOW-11', 'the target file does not state credentials.blocked.allowlist')
    return
  }
  const shown = entries.filter((entry) => visibleText(exchange).includes(entry))
  expect('ALLOW-11').that('a refusal shows no entry of the allowlist', {
    holds: shown.length === 0,
    expected: 'no entry in body and headers',
    observed:
      shown.length > 0 ? `${shown.join(', ')} in ${showAnswer(exchange)}` : showAnswer(exchange),
    exchanges: [exchange],
  })
}

export const outsiderBuysNothing = refusedToOutsiders('purchase', 'buys nothing', {
  needs: { ...BUYS_VOUCHERS, purchases: 2 },
  call: ({ api, reference }, role) =>
    api.as(role).createOrder({ product: 'voucher', referenceId: reference() }),
})

export const outsiderBuysNoCart = refusedToOutsiders('cart', 'buys no cart', {
  needs: { ...CHECKS_OUT, purchases: 2 * POSITIONS },
  call: async (context, role) =>
    role === 'full' ? (await checkout(context)).exchange : await sendCart(context, { role }),
})

export const outsiderLooksNothingUp = refusedToOutsiders('lookup', 'looks no items up', {
  needs: LOOKS_UP,
  call: (context, role) => ask(context, 'lookupItems', { role }),
})
