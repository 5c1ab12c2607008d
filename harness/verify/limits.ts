/** Windows in force, orders and optional parts. Pure. */
import { BUCKETS } from '../../contract/limits.ts'
import type { Exchange } from '../client/exchange.ts'
import { effectiveLimits } from '../quota/effective-limits.ts'
import type { Target } from '../target-file/target.ts'
import { answerText, isAccepted, statusOf } from './asker.ts'
import { fail, notTried, pass, warn, type Layer } from './layer.ts'
import type { Answers } from './questions.ts'

export function limitsLayers(
  target: Target,
  answers: Answers,
  exchanges: readonly Exchange[],
): Layer[] {
  return [inForce(target, answers), left(exchanges)]
}

function inForce(target: Target, { rateLimits, shortOf }: Answers): Layer {
  const name = 'limits'
  if (!rateLimits) return notTried(name, shortOf ? `no ${shortOf} was left for them` : 'not asked')
  if (!isAccepted(rateLimits))
    return warn(
      name,
      `GET /rate-limits: ${answerText(rateLimits)}`,
      'Let a key read it, or state the windows under limits in the target file, and leave "rate-limits" out of capabilities.',
    )
  const limits = effectiveLimits(target, rateLimits)
  const read = BUCKETS.filter((bucket) => limits[bucket].source === 'rate-limits')
  const told = read.map((bucket) => {
    const { count, windowSeconds } = limits[bucket]
    return `${bucket} ${count} in ${windowSeconds} s`
  })
  if (read.length === BUCKETS.length) return pass(name, told.join(', '))
  const lost = BUCKETS.filter((bucket) => !read.includes(bucket))
  return warn(
    name,
    `${told.join(', ') || 'it answers'}; not read: ${lost.join(', ')}`,
    'Give operations.rateLimits.selectors of these; npm run init finds them.',
  )
}

const REMAINING = /^(?:x-)?rate-?limit.*remaining|^ratelimit$/i

/** The interface shows nothing that says what is left of a window; some services tell it in a header. */
function left(exchanges: readonly Exchange[]): Layer {
  const name = 'windows left'
  const throttled = exchanges.filter((each) => statusOf(each) === 429)
  if (throttled.length > 0) {
    const what = [...new Set(throttled.map(({ operation }) => operation))].join(', ')
    return warn(
      name,
      `HTTP 429 for ${what}: the window is used up`,
      'Wait for Retry-After, and find out who else uses the account.',
    )
  }
  const told = exchanges.flatMap(({ operation, response }) =>
    (response?.headers ?? [])
      .filter(([header]) => REMAINING.test(header))
      .map(([header, value]) => `${operation} ${header}: ${value}`),
  )
  const last = [...new Map(told.map((text) => [text.split(' ')[0], text])).values()]
  if (last.length > 0) return pass(name, last.join('; '))
  return notTried(
    name,
    `no answer shows it; none of these ${exchanges.length} requests was refused`,
  )
}

export function ordersLayer(answers: Answers): Layer {
  const name = 'orders'
  const key = answers.keys.find(({ role }) => role === 'full') ?? answers.keys[0]
  const { orders, role = '' } = key ?? {}
  if (!orders)
    return notTried(
      name,
      answers.shortOf ? `no ${answers.shortOf} was left for them` : 'no key could ask for them',
    )
  const status = statusOf(orders)
  if (isAccepted(orders) || status === 404)
    return pass(name, `readable with ${role}: a reference that nobody used gives HTTP ${status}`)
  if (status === 429) return notTried(name, 'the window of order reads is used up')
  return fail(
    name,
    answerText(orders),
    'Give the key the scope orders:read, and look at its allowlist.',
  )
}

/** Optional parts that harmless requests show to be open or not. */
export function gateLayer(target: Target, { giftQuote }: Answers): Layer {
  const name = 'gift feature'
  const isDeclared =
    target.capabilities.includes('platform-gift') || target.answers.platformGift === 'enabled'
  if (!giftQuote)
    return notTried(
      name,
      isDeclared
        ? 'declared, but the file has no product platform-gift to ask a quote for'
        : 'not declared, so not asked for',
      ...(isDeclared ? ['Give products.platform-gift with editionId and recipientRegion.'] : []),
    )
  const status = statusOf(giftQuote)
  if (isAccepted(giftQuote)) return pass(name, 'open: a quote was issued (it buys nothing)')
  const told = `no quote (${answerText(giftQuote)})`
  const what =
    status === 403
      ? 'a closed gate and a missing scope cannot be told apart'
      : status === 422
        ? 'the gate is open, the product is refused'
        : 'a closed gate, a missing upstream and a wrong product cannot be told apart'
  return (isDeclared ? fail : warn)(
    name,
    `${told}: ${what}`,
    'Ask whether the feature is on for this account, or leave the capability platform-gift out.',
  )
}
