/** The complete catalogue of the interface: what a target must do, and what the interface leaves open. */
import { ALLOWLIST } from './allowlist.ts'
import { AUTH } from './auth.ts'
import { CARTS } from './carts.ts'
import { CATALOG } from './catalog.ts'
import { CONTENTION } from './contention.ts'
import { DTU } from './dtu.ts'
import { ENVELOPE } from './envelope.ts'
import { ERRORS } from './errors.ts'
import { ESIM } from './esim.ts'
import { GET_ORDERS } from './get-orders.ts'
import { GIFT_SNAPSHOT } from './gift-snapshot.ts'
import { IDEMPOTENCY } from './idempotency.ts'
import { LIMITS } from './limits.ts'
import { LOOKUP } from './lookup.ts'
import { NOT_SHOWN } from './open-not-shown.ts'
import { READINGS } from './open-readings.ts'
import { SILENCES } from './open-silences.ts'
import { ORDERS } from './orders.ts'
import { PLATFORM_GIFT } from './platform-gift.ts'
import { PRODUCT_ITEM } from './product-item.ts'
import { QUANTITY } from './quantity.ts'
import { RATE_REPORT } from './rate-report.ts'
import { SCOPES_CATALOGUE } from './scopes.ts'
import { SERVICE } from './service.ts'
import { STATE_RULES } from './states.ts'
import { TRANSACTION_LIMIT } from './transaction-limit.ts'
import type { OpenQuestion, Requirement } from './types.ts'
import { UNHIDE_ADMISSION } from './unhide-admission.ts'
import { UNHIDE } from './unhide.ts'

const ENTRIES = [
  ...SERVICE,
  ...ENVELOPE,
  ...ERRORS,
  ...AUTH,
  ...SCOPES_CATALOGUE,
  ...ALLOWLIST,
  ...CATALOG,
  ...PRODUCT_ITEM,
  ...LOOKUP,
  ...ORDERS,
  ...IDEMPOTENCY,
  ...STATE_RULES,
  ...QUANTITY,
  ...DTU,
  ...ESIM,
  ...PLATFORM_GIFT,
  ...GIFT_SNAPSHOT,
  ...CARTS,
  ...GET_ORDERS,
  ...UNHIDE,
  ...UNHIDE_ADMISSION,
  ...LIMITS,
  ...RATE_REPORT,
  ...TRANSACTION_LIMIT,
  ...CONTENTION,
] as const

const QUESTIONS = [...NOT_SHOWN, ...READINGS, ...SILENCES] as const

/** Every id of a requirement, so that a check that cites one which does not exist does not compile. */
export type RequirementId = (typeof ENTRIES)[number]['id']
export type OpenQuestionId = (typeof QUESTIONS)[number]['id']

export type CataloguedRequirement = Requirement & { readonly id: RequirementId }
type CataloguedQuestion = OpenQuestion & { readonly id: OpenQuestionId }

export const REQUIREMENTS: readonly CataloguedRequirement[] = ENTRIES
export const OPEN_QUESTIONS: readonly CataloguedQuestion[] = QUESTIONS

const BY_ID: ReadonlyMap<string, CataloguedRequirement> = new Map(
  REQUIREMENTS.map((requirement) => [requirement.id, requirement]),
)

/** The requirement of an id. Throws for an id that the catalogue does not have, which only untyped input can bring. */
export function requirementById(id: RequirementId): CataloguedRequirement {
  const requirement = BY_ID.get(id)
  if (requirement === undefined) throw new Error(`The catalogue has no requirement ${id}.`)
  return requirement
}
