import { isAllowlistRefusal } from '../steps/allowlist-refusals.ts'
import type { CheckContext, CheckDefinition, Needs } from '../engine/kit.ts'
import { check, isAccepted, untested } from '../engine/kit.ts'
import { BUYS_VOUCHERS } from '../steps/orders.ts'
import { BUYING_FORMS, ordersOf, READING_FORMS, triedForms, type Form } from '../steps/requests.ts'

/** Both violated at once, in every form whose scope is shown: the refusal is that of the scope, and names no address. */
function scopeFirst(name: string, forms: readonly Form[], needs: Needs): CheckDefinition {
  return check({
    id: `auth.order-scope-before-allowlist-${name}`,
    title:
      'a caller outside the allowlist that lacks the scope is refused for the scope, in every form',
    requirements: ['SEQ-04'],
    needs: {
      ...needs,
      capabilities: ['allowlist', ...(needs.capabilities ?? [])],
      roles: ['full', 'blocked', 'blocked-unscoped'],
    },
    run: (context) => judgeForms(context, forms),
  })
}

async function judgeForms(context: CheckContext, forms: readonly Form[]): Promise<void> {
  let judged = 0
  const scoped = forms.filter(({ scope, isGuarded = true }) => scope !== undefined && isGuarded)
  for await (const { form, send, control } of triedForms(context, scoped)) {
    if (!isAccepted(control)) continue
    const outside = await send('blocked')
    if (!isAllowlistRefusal(outside)) continue
    const both = await send('blocked-unscoped')
    context.expect('SEQ-04').that(`${form.name} with scope and allowlist both violated`, {
      holds: both.response?.status === 403 && !isAllowlistRefusal(both),
      expected: 'HTTP 403 that does not speak of the allowlist',
      exchanges: [outside, both],
    })
    judged++
  }
  if (judged === 0) untested('the allowlist alone refuses no form as the interface words it')
}

export const readingForms = scopeFirst('forms', READING_FORMS, {})
export const purchaseForms = scopeFirst('purchase-forms', BUYING_FORMS, {
  ...BUYS_VOUCHERS,
  purchases: ordersOf(3),
})
