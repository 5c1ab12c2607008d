import type { VolleyFile } from '../../../load/protocol/volleys.ts'
import type { Target } from '../../target/target.ts'
import { renderTemplate } from '../../target/template.ts'
import { readSteps } from './read-steps.ts'

export const GIFT = 'platform-gift'

/** Stands in rendered bodies for the token of a quote. */
export const TOKEN_MARK = 'harness-load-quote-token'

/** How lanes ask for quotes; nothing where the target does not tell. */
export function quotesOf(target: Target): Pick<VolleyFile, 'quotes'> {
  const { path, body, selectors } = target.operations.createGiftQuote
  const token = readSteps(selectors['quoteToken'] ?? '/data/quoteToken')
  if (path === undefined || token === undefined) return {}
  const variables = target.products[GIFT]?.variables ?? {}
  return {
    quotes: {
      url: `${target.baseUrl}${path}`,
      body: JSON.stringify(renderTemplate(body, variables)),
      token,
      tokenMark: TOKEN_MARK,
    },
  }
}
