/** What the answer to a checkout looks like. */
import { isObject, show, type RequirementId } from '../engine/kit.ts'
import { validateMessage } from '../../harness/schema/validate.ts'

/** What every answer to a checkout has. */
export const CHECKOUT_MEMBERS = [
  ['referenceId', 'CART-03', 'a text'],
  ['currency', 'CART-05', 'a text'],
  ['totalPrice', 'CART-06', 'a number'],
  ['status', 'CART-08', 'one of the four statuses of an order'],
] as const satisfies readonly (readonly [string, RequirementId, string])[]

/** Members that a purchase need not have; one that a finished purchase shows, a checkout of the same shows too. */
const OPTIONAL = ['createdAt', 'result'] as const

/**
 * How an order of a checkout differs in shape from the answer to a single purchase of the same product. What breaks the shape of a
 * purchase in both is a matter of purchases.
 */
export function shapeBreaches(entry: unknown, single: unknown): readonly string[] {
  if (!isObject(entry)) return [`an entry is ${show(entry)}, not an object`]
  const known = new Set(placesOf(single))
  // A purchase that comes later shows nothing of what a result looks like, though it may have an empty one.
  const isBare =
    isObject(single) && (!isThere(single['result']) || single['status'] === 'IN_PROGRESS')
  const broken = validateMessage('purchase-response', entry)
    .filter(({ pointer }) => !known.has(anyIndex(pointer)))
    .filter(({ pointer }) => !(isBare && pointer.startsWith('/result/')))
    .map(({ pointer, message, got }) => `${pointer}: ${message}, got ${got}`)
  return [...broken, ...missingMembers(entry, single)]
}

function placesOf(value: unknown): readonly string[] {
  return validateMessage('purchase-response', value).map(({ pointer }) => anyIndex(pointer))
}

/** A pointer without the numbers of array entries. */
function anyIndex(pointer: string): string {
  return pointer.replaceAll(/\/\d+(?=\/|$)/g, '/*')
}

function missingMembers(entry: Readonly<Record<string, unknown>>, single: unknown): string[] {
  if (!isObject(single) || single['status'] !== entry['status']) return []
  return OPTIONAL.filter((name) => isThere(single[name]) && !isThere(entry[name])).map(
    (name) => `/${name}: missing, though the single purchase has it`,
  )
}

function isThere(value: unknown): boolean {
  return value !== undefined && value !== null
}
