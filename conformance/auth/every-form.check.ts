import type {
  Caller,
  CheckContext,
  CheckDefinition,
  Exchange,
  Needs,
  RequirementId,
} from '../engine/kit.ts'
import { check, untested } from '../engine/kit.ts'
import {
  FORMS,
  isWithout,
  needsOf,
  scopeOf,
  triedForms,
  type Form,
  type Forms,
  type Tried,
  WITHOUT_FORMS,
} from '../steps/requests.ts'
import { expectAddress, expectForm, expectNoEntry } from '../steps/allowlist-refusals.ts'
import { expectRefused } from '../steps/key-refused.ts'

/** Who is turned away, and what is broken where not. */
type Outsider = {
  readonly caller: Caller
  readonly who: string
  /** Undefined: whether this form is closed to the caller is not shown. */
  readonly requirementOf: (form: Form) => RequirementId | undefined
  /** The one answer of the condition. Default: any refusal of a key. */
  readonly httpStatus?: 403
  /** What else is held against its refusal. */
  readonly and?: readonly Held[]
}

/** What a refusal must say, or must not show. */
type Held = {
  readonly requirement: RequirementId
  readonly expectOf: (context: CheckContext, refused: Exchange) => void
}

const STRANGERS: readonly Outsider[] = [
  { caller: 'none', who: 'without a key', requirementOf: () => 'AUTH-01' },
  { caller: 'invented', who: 'with a key that was never issued', requirementOf: () => 'AUTH-02' },
]

const REVOKED: Outsider = {
  caller: 'revoked',
  who: 'with a revoked key',
  requirementOf: () => 'AUTH-03',
}
const EXPIRED: Outsider = {
  caller: 'expired',
  who: 'with an expired key',
  requirementOf: () => 'AUTH-04',
}
const BLOCKED: Outsider = {
  caller: 'blocked',
  who: 'from outside the allowlist',
  requirementOf: ({ isGuarded = true }) => (isGuarded ? 'ALLOW-02' : undefined),
  httpStatus: 403,
  and: [
    { requirement: 'ALLOW-09', expectOf: expectForm },
    { requirement: 'ALLOW-10', expectOf: expectAddress },
    { requirement: 'ALLOW-11', expectOf: expectNoEntry },
  ],
}
const UNSCOPED: Outsider = {
  caller: 'unscoped',
  who: 'with a key without any scope',
  requirementOf: scopeOf,
  httpStatus: 403,
}

function closed({
  name,
  title,
  outsiders,
  needs,
  former = {},
}: {
  readonly name: string
  readonly title: string
  readonly outsiders: readonly Outsider[]
  readonly needs: Needs
  readonly former?: Readonly<Partial<Record<Forms, readonly string[]>>>
}): readonly [CheckDefinition, CheckDefinition] {
  const make = (forms: Forms): CheckDefinition => {
    const more = needsOf(forms, 1 + outsiders.length)
    return check({
      id: `auth.${name}-${forms}`,
      formerIds: former[forms] ?? [],
      title: `${title}, in whichever form they are asked for`,
      requirements: requirementsOf(FORMS[forms], outsiders),
      needs: {
        ...more,
        ...needs,
        capabilities: [...(more.capabilities ?? []), ...(needs.capabilities ?? [])],
      },
      run: (context) => judgeForms(context, FORMS[forms], outsiders),
    })
  }
  return [make('forms'), make('purchase-forms')]
}

function requirementsOf(
  forms: readonly Form[],
  outsiders: readonly Outsider[],
): readonly RequirementId[] {
  const named = outsiders.flatMap(({ requirementOf }) =>
    forms.flatMap((form) => requirementOf(form) ?? []),
  )
  const more = outsiders.flatMap(({ and = [] }) => and.map(({ requirement }) => requirement))
  return [...new Set([...named, ...more])]
}

async function judgeForms(
  context: CheckContext,
  forms: readonly Form[],
  outsiders: readonly Outsider[],
): Promise<void> {
  const judged = new Set<RequirementId>()
  const failed: string[] = []
  for await (const tried of triedForms(context, forms, failed))
    for (const each of await judgeForm(context, tried, outsiders)) judged.add(each)
  const why = failed.length > 0 ? `: ${failed.join('; ')}` : ''
  for (const requirement of requirementsOf(forms, outsiders)) {
    if (judged.has(requirement)) continue
    const own = forms.filter((form) =>
      outsiders.some(({ requirementOf }) => requirementOf(form) === requirement),
    )
    if (isWithout(context, own)) context.leaveUndecided(requirement, WITHOUT_FORMS, 'inapplicable')
    else context.leaveUndecided(requirement, `no form of it is answered to a good key${why}`)
  }
  if (judged.size === 0) untested(`no form is answered to a good key${why}`)
}

async function judgeForm(
  context: CheckContext,
  { form, send, control }: Tried,
  outsiders: readonly Outsider[],
): Promise<RequirementId[]> {
  const judged: RequirementId[] = []
  for (const { caller, who, requirementOf, httpStatus, and = [] } of outsiders) {
    const requirement = requirementOf(form)
    if (requirement === undefined) continue
    judged.push(requirement)
    const exchange = await send(caller)
    for (const held of and) {
      judged.push(held.requirement)
      held.expectOf(context, exchange)
    }
    if (httpStatus === undefined)
      expectRefused(context, requirement, exchange, `${form.name} ${who}`)
    else
      context.expect(requirement).that(`${form.name} ${who} is refused`, {
        holds: exchange.response?.status === httpStatus,
        expected: `HTTP ${httpStatus}, where a good key succeeds`,
        exchanges: [control, exchange],
      })
  }
  return judged
}

export const [strangersForms, strangersPurchaseForms] = closed({
  name: 'strangers',
  title: 'nothing is served without a key that was issued',
  outsiders: STRANGERS,
  needs: { roles: ['full'] },
  former: {
    forms: ['auth.keyless-lookup'],
    'purchase-forms': ['auth.keyless-purchase', 'auth.keyless-cart'],
  },
})
export const [revokedForms, revokedPurchaseForms] = closed({
  name: 'revoked',
  title: 'nothing is served with a revoked key',
  outsiders: [REVOKED],
  needs: { roles: ['full', 'revoked'] },
  former: { 'purchase-forms': ['auth.revoked-purchase'] },
})
export const [expiredForms, expiredPurchaseForms] = closed({
  name: 'expired',
  title: 'nothing is served with an expired key',
  outsiders: [EXPIRED],
  needs: { roles: ['full', 'expired'] },
  former: { 'purchase-forms': ['auth.expired-purchase'] },
})
export const [blockedForms, blockedPurchaseForms] = closed({
  name: 'blocked',
  title: 'nothing is served to a caller outside the allowlist',
  outsiders: [BLOCKED],
  needs: { capabilities: ['allowlist'], roles: ['full', 'blocked'] },
  former: {
    forms: ['allowlist.unlisted-lookup', 'allowlist.message-form'],
    'purchase-forms': ['allowlist.unlisted-purchase', 'allowlist.unlisted-cart'],
  },
})
export const [unscopedForms, unscopedPurchaseForms] = closed({
  name: 'unscoped',
  title: 'a key without any scope opens nothing that has one',
  outsiders: [UNSCOPED],
  needs: { roles: ['full', 'unscoped'] },
})
