import type { OrderKind } from '../../harness/target-file/target.ts'
import { templateVariables } from '../../harness/target-file/template.ts'
import {
  type CheckContext,
  type Exchange,
  isAccepted,
  isObject,
  show,
  showAnswer,
} from '../engine/kit.ts'

/** A refusal for the body is HTTP 422 and lists why. */
export function expectErrors({ expect }: CheckContext, what: string, refused: Exchange): void {
  const is422 = expect('VAL-01').that(what, {
    holds: refused.response?.status === 422,
    expected: 'HTTP 422',
    exchanges: [refused],
  })
  if (is422) expectListed({ expect }, what, refused)
}

/** A 422 lists what was wrong. */
export function expectListed(
  { expect }: Pick<CheckContext, 'expect'>,
  what: string,
  refused: Exchange,
): void {
  const errors = isObject(refused.json) ? refused.json['errors'] : undefined
  expect('VAL-02').that(`errors of ${what}`, {
    holds: Array.isArray(errors) && errors.length > 0,
    expected: 'an array with a field error',
    observed: show(errors),
    exchanges: [refused],
  })
}

/**
 * Whether an answer says what another one says, but for amounts and words: status, code and members. Undefined for a success that
 * says something else: it may be a refusal in words that are not shown.
 */
export function saysTheSame(exchange: Exchange, control: Exchange): boolean | undefined {
  if (!isAccepted(exchange)) return false
  const isAlike =
    exchange.response?.status === control.response?.status && outline(exchange) === outline(control)
  return isAlike || undefined
}

function outline({ json }: Exchange): string {
  return JSON.stringify(json, (name, value: unknown) => {
    const isOfEnvelope = ['status', 'statusCode', 'errorCode'].includes(name)
    return isOfEnvelope || typeof value === 'boolean' || typeof value === 'object'
      ? value
      : typeof value
  })
}

/** The 422 of an order that lacks only its reference has an entry for that field. Gives why it cannot be judged, if it cannot. */
export function expectReferenceNamed(
  context: CheckContext,
  kind: OrderKind,
  what: string,
  refused: Exchange,
): string | undefined {
  const name = referenceFieldOf(context, kind)
  if (name === undefined)
    return `the body template of ${kind} orders has no property with {{referenceId}} at its top`
  const errors = isObject(refused.json) ? refused.json['errors'] : undefined
  if (!Array.isArray(errors) || errors.length === 0)
    return `the 422 lists no errors: ${showAnswer(refused)}`
  const fields = errors.map((error: unknown) => (isObject(error) ? error['field'] : undefined))
  context.expect('FIELD-04').that(`${what} that lacks only ${name} gets an error for it`, {
    holds: fields.some((field) => typeof field === 'string' && lastPart(field) === name),
    expected: `an entry whose field is ${name}, alone or at the end of a path`,
    observed: `field ${show(fields)}`,
    exchanges: [refused],
  })
  return undefined
}

/** The property of this target's orders that carries the reference. */
function referenceFieldOf({ target }: CheckContext, kind: OrderKind): string | undefined {
  const template = target.operations.createOrder.bodies[kind]
  const properties = Object.entries((template ?? {}) as Readonly<Record<string, unknown>>)
  const found = properties.find(([, value]) => templateVariables(value).includes('referenceId'))
  return typeof found?.[1] === 'string' ? found[0] : undefined
}

/** Paths of the interface are shorter. */
const FIELD_LENGTH_MAX = 500

/** `body.referenceId`, `/referenceId` and `$['referenceId']` all name referenceId. */
function lastPart(field: string): string | undefined {
  return field
    .slice(0, FIELD_LENGTH_MAX)
    .split(/[^\w-]+/)
    .findLast((part) => part !== '')
}
