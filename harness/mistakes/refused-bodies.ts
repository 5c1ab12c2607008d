/** Body templates of the target file that the service refuses for a member which the interface does not show. */
import { REFERENCE_FORMS } from '../../contract/reference-id.ts'
import type { Exchange } from '../client/exchange.ts'
import type { SystematicCause } from '../judge/causes.ts'
import {
  fieldErrorsOf,
  isSuccess,
  lastNameOf,
  statusOf,
  targetCause,
  type Described,
  type FieldError,
} from './mistake.ts'

/** One refusal makes no system. */
const REQUESTS_MIN = 2

const REFERENCE = 'referenceId'

/** How a reference has to look is not shown. */
const FORM_CODES: ReadonlySet<string> = new Set([
  'INVALID_FORMAT',
  'INVALID_VALUE',
  'OUT_OF_RANGE',
  'TOO_LONG',
  'TOO_SHORT',
])

/** Members that the interface names: that a service refuses one which is there is its own fault. */
const SHOWN: ReadonlySet<string> = new Set([
  'ordersType',
  'referenceId',
  'checkOnly',
  'amount',
  'quantity',
  'isLongOrder',
])

export function refusedBodies({ target, history }: Described): SystematicCause[] {
  const plain = history.filter(
    ({ template, products = [] }) => template !== undefined && products.length > 0,
  )
  return [...Map.groupBy(plain, ({ template = '' }) => template)].flatMap(([pointer, all]) => {
    const refused = all.filter((each) => statusOf(each) === 422 || statusOf(each) === 400)
    // What a gift takes is shown whole.
    if (pointer.endsWith('/platform-gift') || all.some(isSuccess) || refused.length < REQUESTS_MIN)
      return []
    const names = memberNames(templateAt(target.operations, pointer))
    const blamed = commonError(refused, (error) => isOfTheFile(error, names))
    if (!blamed) return []
    const { field, code } = blamed
    return [
      targetCause(target, {
        pointer,
        shows: `all ${refused.length} requests with this body were refused (HTTP ${statusOf(refused[0] as Exchange)}, field ${field.slice(0, 80)}${typeof code === 'string' ? ` ${code.slice(0, 40)}` : ''})`,
        fix: fixOf(lastNameOf(field), names),
        exchanges: refused,
        dependents: refused.map(({ check }) => check),
      }),
    ]
  })
}

function isOfTheFile({ field, code }: FieldError, names: ReadonlySet<string>): boolean {
  const name = lastNameOf(field)
  if (!names.has(name)) return true
  return name === REFERENCE
    ? FORM_CODES.has(String(code))
    : code === 'NOT_ALLOWED' && !SHOWN.has(name)
}

function fixOf(name: string, names: ReadonlySet<string>): string {
  if (!names.has(name))
    return `give the body the member that the service calls ${name.slice(0, 80)}.`
  return name === REFERENCE
    ? `state with referenceForm how the service wants its references: ${REFERENCE_FORMS.join(', ')}.`
    : `take ${name.slice(0, 80)} out, or call it as the service does.`
}

/** The error that every refusal tells of one field. */
function commonError(
  refused: readonly Exchange[],
  isWanted: (error: FieldError) => boolean,
): FieldError | undefined {
  const [first = [], ...others] = refused.map(({ json }) => fieldErrorsOf(json).filter(isWanted))
  return first.find(({ field }) =>
    others.every((errors) => errors.some((error) => error.field === field)),
  )
}

function templateAt(operations: unknown, pointer: string): unknown {
  const names = pointer.split('/').slice(2)
  return names.reduce<unknown>(
    (value, name) => (value as Readonly<Record<string, unknown>> | undefined)?.[name],
    operations,
  )
}

function memberNames(template: unknown): ReadonlySet<string> {
  if (typeof template !== 'object' || template === null) return new Set()
  const own = Array.isArray(template) ? [] : Object.keys(template)
  return new Set([...own, ...Object.values(template).flatMap((each) => [...memberNames(each)])])
}
