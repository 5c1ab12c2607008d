import { HEADER } from '../../contract/wire.ts'
import { check } from '../engine/check.ts'
import { needSuccess } from '../engine/controls.ts'
import { expectRefused } from '../steps/key-refused.ts'

/** Where a key does not belong. Addresses are left out: they stand in logs. */
const ELSEWHERE: readonly (readonly [string, (key: string) => Readonly<Record<string, string>>])[] =
  [
    ['Authorization: Bearer', (key) => ({ authorization: `Bearer ${key}` })],
    ['Authorization', (key) => ({ authorization: key })],
    ['a cookie', (key) => ({ cookie: `${HEADER.apiKey}=${key}; api_key=${key}` })],
  ]

export const keyElsewhere = check({
  id: 'auth.key-elsewhere',
  title: 'a key in another place than its header opens nothing',
  requirements: ['AUTH-01'],
  needs: { capabilities: ['catalog'], roles: ['full'] },
  run: async (context) => {
    const { api, keys } = context
    needSuccess(await api.as('full').listServices({ limit: 1 }))
    for (const [where, headersOf] of ELSEWHERE) {
      const headers = headersOf(keys.key('full').secret)
      const exchange = await api.as('none').listServices({ limit: 1 }, { headers })
      expectRefused(context, 'AUTH-01', exchange, `the key in ${where}, and no ${HEADER.apiKey}`)
    }
  },
})
