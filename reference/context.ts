import type { Accounts } from './auth/accounts.ts'
import type { FaultSet } from './faults.ts'
import type { GiftQuotes } from './gifts/quotes.ts'
import type { Identifiers } from './identifiers.ts'
import type { Limiter } from './limits/limiter.ts'
import type { OrderStore } from './orders/store.ts'
import type { ServiceClock } from './types.ts'
import type { VariantSet } from './variants.ts'

/** Everything that handlers depend on. */
export type Context = {
  readonly clock: ServiceClock
  readonly faults: FaultSet
  readonly variants: VariantSet
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
  readonly asyncCompletionMs: number
  readonly providerTimeoutMs: number
  readonly platformGift: 'enabled' | 'disabled'
  readonly giftQuoteRoute: boolean
}
