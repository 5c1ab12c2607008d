import { type CheckContext, type Exchange, isObject, show } from '../engine/kit.ts'

/** A refusal for the body is HTTP 422 and lists why. */
export function expectErrors({ expect }: CheckContext, what: string, refused: Exchange): void {
  const is422 = expect('VAL-01').that(what, {
    holds: refused.response?.status === 422,
    expected: 'HTTP 422',
    exchanges: [refused],
  })
  if (!is422) return
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
  const status = exchange.response?.status ?? 0
  if (status < 200 || status > 299) return false
  const isAlike = status === control.response?.status && outline(exchange) === outline(control)
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
