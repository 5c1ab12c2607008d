import type { Accounts } from './accounts.ts'
import type { Behaviour } from './behaviour.ts'
import type { GiftQuotes } from './gift-quotes.ts'
import type { Identifiers } from '../base/identifiers.ts'
import type { Limiter } from './limiter.ts'
import type { OrderStore } from './order-store.ts'
import type { ServiceClock } from '../base/types.ts'

/** Everything that handlers depend on. */
export type Context = Behaviour & {
  readonly clock: ServiceClock
  readonly identifiers: Identifiers
  readonly accounts: Accounts
  readonly limiter: Limiter
  readonly orders: OrderStore
  readonly gifts: GiftQuotes
  readonly settings: Settings
}

/** Resolved options that handlers read. */
export type Settings = {
  readonly quoteLatencyMs: number
  readonly pricesRiseEveryMs: number
  readonly asyncCompletionMs: number
  readonly providerTimeoutMs: number
  readonly platformGift: 'enabled' | 'disabled'
  readonly giftQuoteRoute: boolean
}
