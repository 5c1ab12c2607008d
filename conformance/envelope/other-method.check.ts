import { HEADER, MEDIA_TYPE_JSON } from '../../contract/wire.ts'
import { validateMessage } from '../../harness/schema/validate.ts'
import { check, inapplicable, needSuccess, showAnswer } from '../engine/kit.ts'

/** Sent by a key that may only read the catalog: nothing can come of it. */
export const otherMethod = check({
  id: 'envelope.other-method',
  title: 'a method that a path of the interface does not have is answered in the envelope',
  requirements: ['ERR-01'],
  needs: { capabilities: ['catalog'], roles: ['browser'] },
  run: async ({ api, expect }) => {
    const browser = api.as('browser')
    needSuccess(await browser.listServices({ limit: 1 }))
    const headers = { [HEADER.contentType]: MEDIA_TYPE_JSON }
    const exchange = await browser.listServices({}, { method: 'PUT', headers, rawBody: '{}' })
    if ((exchange.response?.status ?? 0) < 400)
      inapplicable(`the catalog takes a PUT, which is not shown: ${showAnswer(exchange)}`)
    expect('ERR-01').that('a PUT of the catalog', {
      holds: validateMessage('envelope', exchange.json).length === 0,
      expected: 'an error in the envelope',
      exchanges: [exchange],
    })
  },
})
