/** Quotes for platform gifts: short-lived tokens, signed, bound to an edition, a region and a price. */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { peekJson } from '../http/body.ts'
import type { FaultSet } from '../faults/faults.ts'
import type { ServiceClock } from '../base/types.ts'
import type { Behaviour } from './behaviour.ts'

export type Edition = {
  readonly id: string
  readonly name: string
  readonly productName: string
  readonly productId: string
  readonly priceMinor: number
}

export const EDITIONS: readonly Edition[] = [
  {
    id: 'edition-lantern',
    name: 'Lantern Keeper, Standard',
    productName: 'Lantern Keeper',
    productId: 'product-lantern',
    priceMinor: 1500,
  },
  {
    id: 'edition-lantern-deluxe',
    name: 'Lantern Keeper, Deluxe',
    productName: 'Lantern Keeper',
    productId: 'product-lantern',
    priceMinor: 2500,
  },
]
export const REGIONS: readonly string[] = ['EU', 'US', 'TR', 'BR']

const QUOTE_LIFETIME_MS = 5 * 60 * 1000
const BRIEF_LIFETIME_MS = 5000

/** Characters of a signature that a fault compares, of 43. */
const COMPARED_LENGTH = 36

/** What a token vouches for. */
export type GiftQuote = {
  readonly edition: Edition
  readonly recipientRegion: string
  /** Cost ceiling, minor units. */
  readonly priceMinor: number
  readonly expired: boolean
}

export function quoteLifetimeMs(variants: ReadonlySet<string>): number {
  return variants.has('gift-quotes-brief') ? BRIEF_LIFETIME_MS : QUOTE_LIFETIME_MS
}

export class GiftQuotes {
  readonly #secret = randomBytes(32)
  readonly #clock: ServiceClock
  readonly #faults: FaultSet
  readonly #lifetimeMs: number

  constructor(clock: ServiceClock, { faults, variants }: Behaviour) {
    this.#clock = clock
    this.#faults = faults
    this.#lifetimeMs = quoteLifetimeMs(variants)
  }

  issue(edition: Edition, recipientRegion: string): string {
    const expiresAtMs = this.#clock.nowMs() + this.#lifetimeMs
    const claims = { e: edition.id, r: recipientRegion, p: edition.priceMinor, x: expiresAtMs }
    const payload = Buffer.from(JSON.stringify(claims)).toString('base64url')
    return `${payload}.${this.#sign(payload)}`
  }

  /** Reads a token that this service signed; undefined for every other text. */
  read(token: string): GiftQuote | undefined {
    const [payload = '', signature = '', ...rest] = token.split('.')
    if (rest.length > 0 || !this.#isSigned(payload, signature)) return undefined
    const claims = peekJson(Buffer.from(payload, 'base64url').toString())
    if (claims === undefined) return undefined
    const isFirst = this.#faults.has('gift-token-first-edition')
    const edition = isFirst
      ? EDITIONS[0]
      : EDITIONS.find((candidate) => candidate.id === claims['e'])
    return (
      edition && {
        edition,
        recipientRegion: String(claims['r']),
        priceMinor: isFirst ? edition.priceMinor : Number(claims['p']),
        expired:
          !this.#faults.has('gift-token-lives-on') && this.#clock.nowMs() >= Number(claims['x']),
      }
    )
  }

  #sign(payload: string): string {
    return createHmac('sha256', this.#secret).update(payload).digest('base64url')
  }

  #isSigned(payload: string, signature: string): boolean {
    if (signature === '' && this.#faults.has('gift-token-signature-optional')) return true
    const compared = this.#faults.has('gift-token-signature-beginning')
      ? COMPARED_LENGTH
      : undefined
    const expected = Buffer.from(this.#sign(payload).slice(0, compared))
    const got = Buffer.from(signature.slice(0, compared))
    return expected.length === got.length && timingSafeEqual(expected, got)
  }
}
