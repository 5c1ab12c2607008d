/** POST /api/v1/platform-gifts/quotes */
import { Fields, requireJson } from '../http/body.ts'
import type { Call } from '../model/call.ts'
import type { FaultSet } from '../faults/faults.ts'
import {
  type Answer,
  type FieldError,
  type Refusal,
  invalid,
  notFound,
  refusal,
  success,
  by400,
  withoutErrors,
} from '../http/answer.ts'
import { CODES } from '../http/status-codes.ts'
import { EDITIONS, REGIONS } from '../model/gift-quotes.ts'

const EDITION_RULE = { max: 64 }

/** The 422 of a request for a quote, which faults answer by 400, or without what is wrong. */
function refusedQuote(errors: readonly FieldError[], faults: FaultSet): Refusal {
  const refused = invalid(errors)
  if (faults.has('gift-invalid-quotes-without-errors')) return withoutErrors(refused)
  const is400 = faults.has('gift-invalid-quotes-answer-400')
  return is400 ? by400(refused) : refused
}

export function createGiftQuote({ context, body }: Call): Answer {
  const { settings, gifts } = context
  const isPassed = context.faults.has('shut-gate-quotes')
  if (settings.platformGift === 'disabled' && !isPassed)
    throw notFound('Platform gifts are not enabled.', 'feature_disabled')
  const fields = new Fields(requireJson(body))
  const editionId = fields.requiredText('editionId', EDITION_RULE)
  const recipientRegion = fields.oneOf('recipientRegion', REGIONS)
  if (context.faults.has('gift-quote-needs-sender')) fields.requiredText('senderRegion', { max: 8 })
  const edition =
    EDITIONS.find((candidate) => candidate.id === editionId) ?? (isPassed ? EDITIONS[0] : undefined)
  if (editionId !== undefined && edition === undefined)
    fields.fail('INVALID_VALUE', 'editionId', 'No edition has this id.')
  if (edition === undefined || recipientRegion === undefined || fields.errors.length > 0)
    throw refusedQuote(fields.errors, context.faults)
  if (!settings.giftQuoteRoute && context.faults.has('gift-upstream-guesses-product'))
    return { ...success({ productId: edition.productId }), httpStatus: 502 }
  if (!settings.giftQuoteRoute && !context.faults.has('gift-upstream-fails-open'))
    throw refusal(502, CODES.upstreamError, 'The gift service cannot quote at present.', {
      errorCode: 'gift_quote_unavailable',
    })
  const quoteToken = gifts.issue(edition, recipientRegion)
  return success({ quoteToken, productId: edition.productId })
}
