import type { Role } from '../../contract/capabilities.ts'
import type { CheckContext, CheckDefinition, RequirementId } from '../engine/kit.ts'
import { check, showAnswer, untested } from '../engine/kit.ts'
import {
  FORMS,
  isWithout,
  needsOf,
  scopeOf,
  triedForms,
  type Form,
  type Forms,
  type ScopeRule,
  type Tried,
  WITHOUT_FORMS,
} from '../steps/requests.ts'

type SingleScope = Extract<Role, 'browser' | 'writer' | 'poller' | 'funds'>

/** What a key with one scope must find closed besides, and what must be open to it, by the scope of the form. */
type Facts = {
  readonly scope: string
  /** "No implicit escalation" in the words of the scope that is not included. */
  readonly closed: Readonly<Partial<Record<ScopeRule, RequirementId>>>
  readonly open: Readonly<Partial<Record<ScopeRule, RequirementId>>>
  /** Whether the scope is enough is not shown. */
  readonly unclear?: ScopeRule
}

const SINGLE: Readonly<Record<SingleScope, Facts>> = {
  browser: {
    scope: 'product:read',
    closed: { 'SCOPE-03': 'SCOPE-14', 'SCOPE-05': 'SCOPE-14' },
    open: { 'SCOPE-01': 'SCOPE-07', 'SCOPE-02': 'SCOPE-08' },
  },
  writer: {
    scope: 'orders:write',
    closed: { 'SCOPE-01': 'SCOPE-15', 'SCOPE-05': 'SCOPE-12' },
    open: { 'SCOPE-04': 'CART-11' },
    unclear: 'SCOPE-03',
  },
  poller: {
    scope: 'orders:read',
    closed: { 'SCOPE-01': 'SCOPE-15', 'SCOPE-03': 'SCOPE-13' },
    open: { 'SCOPE-05': 'SCOPE-10' },
  },
  funds: { scope: 'funds:read', closed: {}, open: {} },
}

/** Checks of single endpoints that were merged into those of all forms. */
const FORMER: Readonly<Record<Forms, readonly string[]>> = {
  forms: [
    'auth.scopes-browser',
    'auth.scopes-poller',
    'auth.scopes-writer',
    'lookup.scopes-poller',
    'lookup.scopes-writer',
  ],
  'purchase-forms': [
    'cart.scopes-browser',
    'cart.scopes-poller',
    'dtu-check.scopes-browser',
    'dtu-check.scopes-poller',
  ],
}

function deniedBy({ closed, open, unclear }: Facts, form: Form): readonly RequirementId[] {
  const scope = scopeOf(form)
  if (scope === undefined || scope === unclear || open[scope]) return []
  const implied = closed[scope]
  return implied ? [scope, implied] : [scope]
}

function openedBy({ open }: Facts, form: Form): RequirementId | undefined {
  const scope = scopeOf(form)
  return scope && open[scope]
}

/** What a form decides of a key with this scope alone. */
function requirementsBy(role: SingleScope, form: Form): readonly RequirementId[] {
  const opened = openedBy(SINGLE[role], form)
  return opened ? [opened] : deniedBy(SINGLE[role], form)
}

function singleScope(role: SingleScope, forms: Forms): CheckDefinition {
  const facts = SINGLE[role]
  const requirements = FORMS[forms].flatMap((form) => requirementsBy(role, form))
  return check({
    id: `auth.scopes-${role}-${forms}`,
    formerIds: FORMER[forms].filter((id) => id.endsWith(`.scopes-${role}`)),
    title: `${facts.scope} alone opens what it is for and nothing else, in whichever form it is asked for`,
    requirements: [...new Set(requirements)],
    needs: { ...needsOf(forms, 2), roles: ['full', role] },
    run: (context) => judgeForms(context, role, forms),
  })
}

async function judgeForms(context: CheckContext, role: SingleScope, forms: Forms): Promise<void> {
  let judged = 0
  const failed: string[] = []
  const requirementsOf = (form: Form): readonly RequirementId[] => requirementsBy(role, form)
  const scoped = FORMS[forms].filter((form) => requirementsOf(form).length > 0)
  for await (const tried of triedForms(context, scoped, failed)) {
    await judgeForm(context, role, tried)
    judged++
  }
  for (const requirement of new Set(scoped.flatMap(requirementsOf))) {
    const own = scoped.filter((form) => requirementsOf(form).includes(requirement))
    if (isWithout(context, own)) context.leaveUndecided(requirement, WITHOUT_FORMS, 'inapplicable')
  }
  if (judged === 0) untested(`no form is answered to a good key: ${failed.join('; ')}`)
}

async function judgeForm(
  context: CheckContext,
  role: SingleScope,
  { form, send, control }: Tried,
): Promise<void> {
  const exchange = await send(role)
  const observed = showAnswer(exchange)
  const exchanges = [control, exchange]
  const { scope } = SINGLE[role]
  const status = exchange.response?.status ?? 0
  const opened = openedBy(SINGLE[role], form)
  if (opened)
    context.expect(opened).that(`${form.name} with ${scope} alone`, {
      // Another refusal than for the scope has its own reasons, such as a reference of another key.
      holds: status !== 403,
      expected: 'any answer but HTTP 403',
      observed,
      exchanges,
    })
  for (const requirement of deniedBy(SINGLE[role], form))
    context.expect(requirement).that(`${form.name} with ${scope} alone`, {
      holds: status === 403,
      expected: 'HTTP 403, where a good key succeeds',
      observed,
      exchanges,
    })
}

export const browserForms = singleScope('browser', 'forms')
export const browserPurchaseForms = singleScope('browser', 'purchase-forms')
export const writerForms = singleScope('writer', 'forms')
export const writerPurchaseForms = singleScope('writer', 'purchase-forms')
export const pollerForms = singleScope('poller', 'forms')
export const pollerPurchaseForms = singleScope('poller', 'purchase-forms')
export const fundsForms = singleScope('funds', 'forms')
export const fundsPurchaseForms = singleScope('funds', 'purchase-forms')
