import { HEADER } from '../../contract/wire.ts'
import { validateMessage } from '../../harness/schema/validate.ts'
import { check, isAccepted, needSuccess } from '../engine/kit.ts'

/** The interface shows no PUT and no PATCH. A service without them refuses the method. One with them asks for the media type first. */
export const putAndPatch = check({
  id: 'content-type.put-and-patch',
  title: 'a PUT or PATCH without Content-Type is neither carried out nor refused for its body',
  requirements: ['CTYPE-05'],
  needs: { capabilities: ['catalog'], roles: ['full'], operations: ['createOrder'] },
  run: async ({ api, expect, observe }) => {
    const full = api.as('full')
    needSuccess(await full.listServices({ limit: 1 }))
    for (const method of ['PUT', 'PATCH'] as const) {
      const headers = { [HEADER.contentType]: null }
      const exchange = await full.send('createOrder', { body: {} }, { method, headers })
      expect('CTYPE-05').that(`${method} without Content-Type at the path of orders`, {
        holds: !isAccepted(exchange) && exchange.response?.status !== 422,
        expected: 'HTTP 415, or a refusal of the method',
        exchanges: [exchange],
      })
      const isEnvelope = validateMessage('envelope', exchange.json).length === 0
      const status = exchange.response?.status ?? 'none'
      const answer = `${method}: HTTP ${status}, ${isEnvelope ? '' : 'not '}in the envelope`
      observe('OPEN-86', answer, [exchange])
    }
  },
})
