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

function postedTo({ target }: CheckContext): readonly OperationName[] {
  return ['createOrder', ...offeredOf(target, EMPTIABLE_FORMS).map(({ operation }) => operation)]
}

export const keyElsewhere = check({
  id: 'auth.key-elsewhere',
  title: 'a key in another place than its header opens nothing',
  requirements: ['AUTH-01'],
  needs: { capabilities: ['catalog'], roles: ['full'] },
  run: async (context) => {
    const { api, keys, reference } = context
    needSuccess(await api.as('full').listServices({ limit: 1 }))
    const { secret } = keys.key('full')
    const stranger = api.as('none')
    // An empty body buys nothing: a key that passes gets a 422. Whether a body is looked at before any key is not shown.
    const post = (operation: OperationName, headers = {}): Promise<Exchange> =>
      stranger.send(operation, { body: {} }, { headers })
    const keyFirst: OperationName[] = []
    for (const operation of postedTo(context))
      if ((await post(operation)).response?.status !== 422) keyFirst.push(operation)
    for (const [where, headersOf] of ELSEWHERE) {
      const headers = headersOf(secret)
      const nowhere = `the key in ${where}, and no ${HEADER.apiKey}`
      for (const exchange of [
        await stranger.listServices({ limit: 1 }, { headers }),
        await stranger.getOrders({ referenceId: reference() }, { headers }),
        ...(await Promise.all(keyFirst.map((operation) => post(operation, headers)))),
      ])
        expectRefused(context, 'AUTH-01', exchange, `${showRequest(exchange)}: ${nowhere}`)
    }
    await aside(() => observeBarePaths(context))
    // Addresses stand in logs: only a key that was made for this check may stand there.
    if (!context.isFresh) return
    const query = Object.fromEntries(PARAMETERS.map((name) => [name, secret]))
    for (const exchange of [
      await stranger.listServices({ limit: 1, ...query }),
      await stranger.getOrders({ referenceId: reference(), ...query }),
    ])
      // Parameters that it does not know a service may refuse before any key.
      if (exchange.response?.status !== 400)
        expectRefused(
          context,
          'AUTH-01',
          exchange,
          `the key in the address, and no ${HEADER.apiKey}`,
        )
  },
})
