import fc from 'fast-check'
import { expect, test } from 'vitest'
import { FIELD_ERROR_CODES, TRANSACTION_STATUSES } from '../contract/wire.ts'
import { type Envelope, bench } from '../test/reference/kit.ts'
import { hostileRequests } from '../test/reference/hostile-requests.ts'

/** The whole number is `npm run bench -- hostile`; a sample of it belongs to every run of the tests. */
const REQUESTS = Number(process.env['HOSTILE_REQUESTS'] ?? 20_000)

/** Reads nothing but what is wrong: an assertion for each property of each answer would take most of the time. */
function complaintsOf(status: number, body: string): string[] {
  const envelope = JSON.parse(body) as Envelope
  const { status: state, statusCode, statusMessage, traceId, errors } = envelope
  const rules: Readonly<Record<string, boolean>> = {
    'a status that is no 5xx': status >= 200 && status < 500,
    'one of the four states': (TRANSACTION_STATUSES as readonly string[]).includes(state),
    'a statusCode of 0 to 14': Number.isInteger(statusCode) && statusCode >= 0 && statusCode <= 14,
    'a statusMessage': typeof statusMessage === 'string' && statusMessage !== '',
    'a traceId': /^[\da-f]{32}$/.test(traceId),
    'errors with a code of the interface': (errors ?? []).every(({ code }) =>
      (FIELD_ERROR_CODES as readonly string[]).includes(code),
    ),
    'errors where the answer is 422': (status === 422) === (errors !== null),
  }
  return Object.entries(rules).flatMap(([rule, holds]) => (holds ? [] : [rule]))
}

test(`${REQUESTS} hostile requests are answered in the envelope`, async () => {
  const { service, clock, peer } = bench({ platformGift: 'enabled', ordersMax: 500 })
  const { key } = peer()
  const seen = new Map<number, number>()
  await fc.assert(
    fc.asyncProperty(hostileRequests(key), async (request) => {
      clock.advance(1000)
      const { status, body } = await service.handle({
        ...request,
        headers: request.headers.flat(),
      })
      seen.set(status, (seen.get(status) ?? 0) + 1)
      const complaints = complaintsOf(status, body)
      if (complaints.length > 0)
        throw new Error(`${status} lacks ${complaints.join(', ')}: ${body}`)
    }),
    { numRuns: REQUESTS, seed: 20_260_501, endOnFailure: true },
  )
  expect(service.stats()).toMatchObject({ internalErrors: 0, requests: REQUESTS })
  // The generator reaches what is behind each check, not only the first one.
  for (const status of [200, 202, 401, 404, 405, 415, 422])
    expect(seen.get(status)).toBeGreaterThan(10)
})
