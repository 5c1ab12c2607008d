import type { Exchange } from '../engine/kit.ts'
import { check, inapplicable, isAccepted, isObject, showAnswer, untested } from '../engine/kit.ts'
import { validateMessage } from '../../harness/schema/validate.ts'
import { dataOf } from '../steps/orders.ts'
import { placeOf, QUOTES_GIFTS, requestQuote, tokenIn } from '../steps/platform-gift.ts'

export const quote = check({
  id: 'platform-gift.quote',
  title: 'a quote asks for edition and recipient region alone, and gives a quoteToken',
  requirements: ['GIFT-01', 'GIFT-02', 'GIFT-03'],
  needs: QUOTES_GIFTS,
  run: async (context) => {
    const { api, expect } = context
    const quoted = await requestQuote(context)
    needOwnAnswer(quoted)
    const token = tokenIn(context, quoted)
    expect('GIFT-01').that('a quote for the edition and region of the target file', {
      holds: quoted.response?.status === 200 && token !== undefined,
      expected: 'HTTP 200 with a quoteToken',
      exchanges: [quoted],
    })
    const { editionId, recipientRegion } = placeOf(context)
    if (editionId === undefined || recipientRegion === undefined)
      untested('products.platform-gift.variables gives no editionId and recipientRegion')
    const bare = await api
      .as('full')
      .send('createGiftQuote', { body: { editionId, recipientRegion } })
    expect('GIFT-02').that('a quote that says editionId and recipientRegion only is given', {
      holds: isAccepted(bare),
      expected: 'success',
      exchanges: [bare],
    })
    expect('GIFT-03').that('a quote may have a productId', {
      holds: 'productId' in dataOf(quoted),
      expected: 'nothing: it is permitted, not asked for',
      observed: 'productId' in dataOf(quoted) ? 'it has one' : 'it has none',
      exchanges: [quoted],
    })
  },
})

/** What is wrong with key or envelope is decided elsewhere. */
function needOwnAnswer(quoted: Exchange): void {
  const isOfKey = [401, 403].includes(quoted.response?.status ?? 0)
  const { json } = quoted
  const isEnvelope = isObject(json) && 'data' in json && typeof json['data'] === 'object'
  if (isOfKey || !isEnvelope)
    untested(`the quote was not answered by its operation: ${showAnswer(quoted)}`)
}

/** What a quote that cannot be given must not have, at whatever place. */
const OF_A_QUOTE = /^(?:quoteToken|productId)$/

export const upstreamMissing = check({
  id: 'platform-gift.quote-upstream-missing',
  title: 'while the upstream gift service has no quote route, a quote fails and guesses nothing',
  requirements: ['GIFT-11'],
  needs: { ...QUOTES_GIFTS, giftQuotes: 'upstream-missing' },
  run: async (context) => {
    const { expect, observe } = context
    for (const exchange of [await requestQuote(context), await requestQuote(context)]) {
      const status = exchange.response?.status ?? 0
      observe('OPEN-26', `a quote that the upstream cannot give: HTTP ${status}`, [exchange])
      const guessed = memberNames(exchange.json).filter((name) => OF_A_QUOTE.test(name))
      expect('GIFT-11').that('a quote fails as a normalized error', {
        holds:
          status >= 400 &&
          !OTHER_CONDITIONS.includes(status) &&
          validateMessage('envelope', exchange.json).length === 0 &&
          guessed.length === 0,
        expected: `an HTTP error other than ${OTHER_CONDITIONS.join(', ')}, in the envelope, without quoteToken and productId`,
        exchanges: [exchange],
      })
    }
  },
})

/** Statuses that speak of key, media type, body or a limit. */
const OTHER_CONDITIONS: readonly number[] = [401, 403, 415, 422, 429]

/** Members with a value, at any depth. */
function memberNames(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(memberNames)
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([name, inner]) =>
    inner === null ? [] : [name, ...memberNames(inner)],
  )
}

const MEMBERS = ['status', 'statusCode', 'statusMessage', 'traceId'] as const

export const shutGate = check({
  id: 'platform-gift.gate-shut',
  title: 'while gifts are switched off, a quote is answered by an error in the envelope',
  requirements: ['ERR-01', 'GIFT-10'],
  needs: { roles: ['full'], operations: ['createGiftQuote'] },
  run: async ({ api, expect, observe, target }) => {
    if (target.answers.platformGift !== 'disabled')
      inapplicable('the target file does not say that platform gifts are disabled')
    const variables = target.products['platform-gift']?.variables
    const { editionId = 'harness-edition', recipientRegion = 'EU' } = variables ?? {}
    const exchange = await api
      .as('full')
      .send('createGiftQuote', { body: { editionId, recipientRegion } })
    observe('OPEN-71', `the shut gate answers a quote with ${showAnswer(exchange)}`, [exchange])
    const token = tokenIn({ target }, exchange)
    expect('GIFT-10').that('a quote while the gate is shut, as the target file says', {
      holds: !isAccepted(exchange) || token === undefined,
      expected: 'no quoteToken',
      exchanges: [exchange],
    })
    if (isAccepted(exchange)) return
    expect('ERR-01').that('the answer of the shut gate is an envelope', {
      // Each of its members is judged in every answer of the run.
      holds: isObject(exchange.json) && MEMBERS.some((name) => name in (exchange.json as object)),
      expected: 'an error in the envelope',
      exchanges: [exchange],
    })
  },
})
