import type { BurstFile } from '../../../load/protocol/bursts.ts'
import type { Target } from '../../target-file/target.ts'
import { renderTemplate } from '../../target-file/template.ts'
import { operationUrl } from '../shared/operation-url.ts'
import { readSteps } from './read-steps.ts'

export const GIFT = 'platform-gift'

/** Stands in rendered bodies for the token of a quote. */
export const TOKEN_MARK = 'harness-load-quote-token'

/** How scripts ask for quotes; nothing where the target does not tell. */
export function quotesOf(target: Target): Pick<BurstFile, 'quotes'> {
  const { body, selectors } = target.operations.createGiftQuote
  const token = readSteps(selectors['quoteToken'] ?? '/data/quoteToken')
  const variables = target.products[GIFT]?.variables ?? {}
  if (target.answers.giftQuotes === 'upstream-missing') return {}
  const url = operationUrl(target, 'createGiftQuote', { variables })
  if (url === undefined || token === undefined) return {}
  return {
    quotes: {
      url,
      body: JSON.stringify(renderTemplate(body, variables)),
      token,
      tokenMark: TOKEN_MARK,
    },
  }
}
