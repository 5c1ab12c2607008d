/** How references and order identifiers have to look. */
import type { VariantSet } from '../base/variants.ts'
import { invalid } from '../http/answer.ts'
import type { TextRule } from '../http/body.ts'
import type { OrderFilter } from './select.ts'

const UUID = /^[\da-f]{8}-[\da-f]{4}-[1-8][\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/i
const DIGITS = /^\d+$/

/** Variants take UUIDs or digits alone. */
export function ruleOfReferences(variants: VariantSet): TextRule & { readonly pattern: RegExp } {
  if (variants.has('references-uuid')) return { max: 36, pattern: UUID }
  if (variants.has('references-digits')) return { max: 19, pattern: DIGITS }
  return { max: 64, pattern: /^[\w.:-]+$/ }
}

/** Variants refuse a filter that can name no order of theirs. */
export function refuseMalformed({ orderId, referenceId }: OrderFilter, variants: VariantSet): void {
  const isStrict = variants.has('references-uuid') || variants.has('references-digits')
  const { pattern } = ruleOfReferences(variants)
  if (isStrict && referenceId !== undefined && !pattern.test(referenceId))
    throw malformed('referenceId', pattern)
  if (variants.has('order-ids-uuid') && orderId !== undefined && !UUID.test(orderId))
    throw malformed('orderId', UUID)
}

function malformed(field: string, { source }: RegExp): Error {
  return invalid([{ code: 'INVALID_FORMAT', field, message: `Expected the pattern ${source}.` }])
}
