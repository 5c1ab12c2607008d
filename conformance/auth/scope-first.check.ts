import { isAllowlistRefusal } from '../steps/allowlist-refusals.ts'
import type { CheckContext, CheckDefinition } from '../engine/kit.ts'
import { check, isRefusedForGood, showAnswer, untested } from '../engine/kit.ts'
import { refusalOf, wordedRefusalOf } from '../steps/key-refused.ts'
import { FORMS, needsOf, scopeOf, triedForms, type Forms } from '../steps/requests.ts'

/** Both violated at once, in every form whose scope is shown: the refusal is that of the scope, and names no address. */
function scopeFirst(forms: Forms): CheckDefinition {
  const needs = needsOf(forms, 3)
  return check({
    id: `auth.order-scope-before-allowlist-${forms}`,
    formerIds: forms === 'forms' ? ['auth.order-scope-before-allowlist'] : [],
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

async function judgeForms(context: CheckContext, forms: Forms): Promise<void> {
  let judged = 0
  const scoped = FORMS[forms].filter(
    (form) => scopeOf(form) !== undefined && form.isGuarded !== false,
  )
  for await (const { form, send } of triedForms(context, scoped)) {
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

export const readingForms = scopeFirst('forms')
export const purchaseForms = scopeFirst('purchase-forms')

/** A dead key whose scopes do not cover the form either: the refusal is that of the dead key. */
function deadFirst(role: 'revoked' | 'expired', forms: Forms): CheckDefinition {
  const requirement = role === 'revoked' ? 'SEQ-02' : 'SEQ-08'
  return check({
    id: `auth.order-${role}-before-scope-${forms}`,
    formerIds: forms === 'forms' ? [`auth.order-${role}-before-scope`] : [],
    title: `a key that is ${role} is refused as such where its scopes do not reach, in every form`,
    requirements: [requirement],
    needs: {
      ...needsOf(forms, 5),
      roles: ['full', role, `${role}-unscoped`, 'unscoped'],
    },
    run: async (context) => {
      let judged = 0
      const scoped = FORMS[forms].filter(scopeOf)
      for await (const { form, send } of triedForms(context, scoped)) {
        const alone = await send(role)
        const scopeless = await send('unscoped')
        const both = await send(`${role}-unscoped`)
        // Words may name a moment or the request: they count only where nothing else tells the two apart, and they do not change.
        const isByCode = refusalOf(alone) !== refusalOf(scopeless)
        const told = isByCode ? refusalOf : wordedRefusalOf
        const again = isByCode ? alone : await send(role)
        if (!isRefusedForGood(alone) || !isRefusedForGood(scopeless)) continue
        if (told(alone) === told(scopeless) || told(again) !== told(alone)) continue
        context.expect(requirement).that(`${form.name} with a ${role} key without scope`, {
          holds: told(both) === told(alone),
          expected: `the refusal of a ${role} key with all scopes: ${showAnswer(alone)}`,
          observed: showAnswer(both),
          exchanges: [alone, scopeless, both],
        })
        judged++
      }
      if (judged === 0)
        untested(
          `the refusal of a ${role} key and that of a missing scope look alike, so their order cannot be seen`,
        )
    },
  })
}

export const revokedFirst = deadFirst('revoked', 'forms')
export const revokedFirstPurchases = deadFirst('revoked', 'purchase-forms')
export const expiredFirst = deadFirst('expired', 'forms')
export const expiredFirstPurchases = deadFirst('expired', 'purchase-forms')
