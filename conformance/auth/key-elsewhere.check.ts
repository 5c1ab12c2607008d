import { HEADER } from '../../contract/wire.ts'
import type { OperationName } from '../../contract/operations.ts'
import type { CheckContext, Exchange } from '../engine/kit.ts'
import { check, needSuccess, offeredOf, showRequest } from '../engine/kit.ts'
import { aside } from '../steps/aside.ts'
import { observeBarePaths } from '../steps/hygiene.ts'
import { expectRefused } from '../steps/key-refused.ts'
import { EMPTIABLE_FORMS } from '../steps/requests.ts'

/** Where a key does not belong. */
const ELSEWHERE: readonly (readonly [string, (key: string) => Readonly<Record<string, string>>])[] =
  [
    ['Authorization: Bearer', (key) => ({ authorization: `Bearer ${key}` })],
    ['Authorization', (key) => ({ authorization: key })],
    ['Authorization: Basic', (key) => ({ authorization: `Basic ${btoa(`${key}:`)}` })],
    ['a cookie', (key) => ({ cookie: `${HEADER.apiKey}=${key}; api_key=${key}` })],
  ]

/** Names under which services take a key from an address. */
const PARAMETERS = [HEADER.apiKey, 'api_key', 'apiKey', 'apikey', 'key', 'access_token', 'token']

export const keyElsewhere = check({
  id: 'auth.key-elsewhere',
  title: 'a key in another place than its header does not open the catalog',
  requirements: ['AUTH-01'],
  needs: { capabilities: ['catalog'], roles: ['full'] },
  run: async (context) => {
    const { api } = context
    needSuccess(await api.as('full').listServices({ limit: 1 }))
    await tryElsewhere(context, [
      ({ headers, query }) => api.as('none').listServices({ limit: 1, ...query }, { headers }),
    ])
    await aside(() => observeBarePaths(context))
  },
})

export const keyElsewhereForOrders = check({
  id: 'auth.key-elsewhere-orders',
  title: 'a key in another place than its header opens no orders, nor what else takes a body',
  requirements: ['AUTH-01'],
  needs: { roles: ['full'] },
  run: async (context) => {
    const { api, reference } = context
    const stranger = api.as('none')
    const sends: Send[] = [
      ({ headers, query }) =>
        stranger.getOrders({ referenceId: reference(), ...query }, { headers }),
    ]
    for (const operation of postedTo(context)) {
      // An empty body buys nothing: a key that passes gets a 422. Whether a body is looked at before any key is not shown.
      const body = {}
      await api.as('full').send(operation, { body })
      if ((await stranger.send(operation, { body })).response?.status !== 422)
        sends.push(({ headers, query }) =>
          query ? undefined : stranger.send(operation, { body }, { headers }),
        )
    }
    await tryElsewhere(context, sends)
  },
})

function postedTo({ target }: CheckContext): readonly OperationName[] {
  return ['createOrder', ...offeredOf(target, EMPTIABLE_FORMS).map(({ operation }) => operation)]
}

type Place = {
  readonly headers: Readonly<Record<string, string>>
  /** Of the address: not all requests are sent so. */
  readonly query?: Readonly<Record<string, string>>
}
type Send = (place: Place) => Promise<Exchange> | undefined

/** Sends each request with the key in each place where it does not belong. */
async function tryElsewhere(context: CheckContext, sends: readonly Send[]): Promise<void> {
  const { secret } = context.keys.key('full')
  const places: (readonly [string, Place])[] = ELSEWHERE.map(([where, headersOf]) => [
    where,
    { headers: headersOf(secret) },
  ])
  // Addresses stand in logs: only a key that was made for this check may stand there.
  if (context.isFresh)
    places.push([
      'the address',
      { headers: {}, query: Object.fromEntries(PARAMETERS.map((name) => [name, secret])) },
    ])
  for (const [where, place] of places)
    for (const send of sends) {
      const exchange = await send(place)
      // Parameters that it does not know a service may refuse before any key.
      if (!exchange || (place.query && exchange.response?.status === 400)) continue
      const elsewhere = `the key in ${where}, and no ${HEADER.apiKey}`
      // An address with a key stands in no text.
      const what = place.query ? elsewhere : `${showRequest(exchange)}: ${elsewhere}`
      expectRefused(context, 'AUTH-01', exchange, what)
    }
}
