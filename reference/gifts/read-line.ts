import type { Context } from '../model/context.ts'
import { Fields, type JsonObject, isJsonObject } from '../http/body.ts'
import type { OrderLine } from '../model/order.ts'
import { EDITIONS, type GiftQuote, REGIONS } from '../model/gift-quotes.ts'

const TOKEN_RULE = { max: 1024 }
const URL_RULE = { max: 512, pattern: /^https:\/\/[^\s/]+\/\S*$/ }

export type GiftOrder = { readonly line: OrderLine; readonly canonicalPayload: string }

/** Reads a platform-gift order; undefined when `fields.errors` says what is wrong. */
export function readGiftLine(context: Context, fields: Fields): GiftOrder | undefined {
  if (context.settings.platformGift === 'disabled')
    return fields.fail('NOT_ALLOWED', 'ordersType', 'Platform gifts are not enabled.')
  const foreign = 'Not used by orders of type platform-gift.'
  fields.forbid(['serviceId', 'itemId', 'amount', 'topUp', 'isLongOrder'], foreign)
  const { faults } = context
  const max = faults.has('gift-quantity-counts') ? 9 : 1
  const quantity = fields.integer('quantity', { min: 1, max }) ?? 1
  if (faults.has('gift-order-needs-product')) fields.requiredText('productId', { max: 64 })
  const quote = readQuote(context, fields)
  const gift = readGift(fields, context)
  if (quote === undefined || gift === undefined || fields.errors.length > 0) return undefined
  if (quote.recipientRegion !== gift.recipientRegion && !faults.has('gift-region-unbound'))
    return fields.fail('INVALID_VALUE', 'gifts[0].recipient_region', 'The quote is for another.')
  return { line: lineOf(quote, quantity), canonicalPayload: canonical(quote, gift) }
}

/** What a replay must repeat: edition, region and the two addresses. Undefined for a body that is no gift. */
export function canonicalGiftOf(context: Context, body: JsonObject): string | undefined {
  const token = body['quoteToken']
  const quote = typeof token === 'string' ? context.gifts.read(token) : undefined
  const gift = readGift(new Fields(body), context)
  return quote && gift && canonical(quote, gift)
}

type Gift = {
  readonly recipientRegion: string
  readonly inviteUrl: string
  readonly profileUrl: string
}

function readQuote(context: Context, fields: Fields): GiftQuote | undefined {
  const isMissing = fields.value('quoteToken') === undefined
  if (isMissing && context.faults.has('gift-token-optional')) return anyQuote(fields)
  const token = fields.requiredText('quoteToken', TOKEN_RULE)
  if (token === undefined) return undefined
  const quote = context.gifts.read(token)
  if (quote === undefined) return fields.fail('INVALID_VALUE', 'quoteToken', 'Not a quote of ours.')
  if (quote.expired)
    return fields.fail('INVALID_VALUE', 'quoteToken', 'The quote has expired; take another one.')
  return quote
}

/** Only a fault orders without a quote. */
function anyQuote(fields: Fields): GiftQuote | undefined {
  const [edition] = EDITIONS
  const gift = readGift(new Fields({ gifts: fields.value('gifts') }))
  if (edition === undefined || gift === undefined) return undefined
  const { recipientRegion } = gift
  return { edition, recipientRegion, priceMinor: edition.priceMinor, expired: false }
}

function readGift(fields: Fields, context?: Context): Gift | undefined {
  const faults = context?.faults
  const gifts = fields.value('gifts')
  if (gifts === undefined) return fields.missing('gifts')
  if (!Array.isArray(gifts)) return fields.fail('INVALID_FORMAT', 'gifts', 'Expected an array.')
  const [entry]: unknown[] = gifts
  const isSeveral = gifts.length > 1 && faults?.has('gift-two-accepted') !== true
  if (isSeveral || !isJsonObject(entry))
    return fields.fail('OUT_OF_RANGE', 'gifts', 'Expected exactly one gift.')
  const inner = new Fields(entry, 'gifts[0].', fields.errors)
  const recipientRegion =
    faults?.has('gift-region-optional') && inner.value('recipient_region') === undefined
      ? REGIONS[0]
      : inner.oneOf('recipient_region', REGIONS)
  const hasOne = inner.value('invite_url') !== undefined || inner.value('profile_url') !== undefined
  const isOptional =
    faults?.has('gift-addresses-optional') === true ||
    (hasOne && context?.variants.has('gift-one-address') === true)
  const url = (field: string): string | undefined =>
    isOptional ? (inner.text(field, URL_RULE) ?? '') : inner.requiredText(field, URL_RULE)
  const inviteUrl = url('invite_url')
  const profileUrl = url('profile_url')
  if (recipientRegion === undefined || inviteUrl === undefined || profileUrl === undefined)
    return undefined
  return { recipientRegion, inviteUrl, profileUrl }
}

function canonical({ edition }: GiftQuote, gift: Gift): string {
  return JSON.stringify([edition.id, gift.recipientRegion, gift.inviteUrl, gift.profileUrl])
}

function lineOf({ edition, recipientRegion, priceMinor }: GiftQuote, quantity: number): OrderLine {
  return {
    ordersType: 'platform-gift',
    quantity,
    priceMinor: priceMinor * quantity,
    currency: 'USD',
    delivery: { asynchronous: true, outcome: 'SUCCESS' },
    gift: { editionName: edition.name, productName: edition.productName, recipientRegion },
  }
}
