import type { ProductAbility } from '../../contract/capabilities.ts'
import type { Micros } from '../money.ts'

/** What the catalog asks for a product. */
export type CatalogPrice = {
  readonly product: ProductAbility
  readonly currency: string
  readonly micros: Micros
  /** `unit`: of each unit. `order`: of an order, whose amount is a matter of its own. */
  readonly per: 'unit' | 'order'
}

/** What is known of a purchase before it is sent. */
export type PricedPurchase = {
  readonly currency: string
  /** What the target file states for all of it. Undefined: not known before. */
  readonly micros?: Micros
  /** Undefined where the target file spells a position of a cart out. */
  readonly product?: ProductAbility
  readonly units?: number
}

/** Prices of the products: as stated, as the catalog has them, as they were charged. The dearest is what a purchase is reckoned at. */
export class PriceBook {
  readonly #catalog = new Map<ProductAbility, CatalogPrice>()
  /** The most that a unit was charged. */
  readonly #charged = new Map<ProductAbility, Micros>()
  /** Why the price of a product is not known. */
  readonly #unknown = new Map<ProductAbility, string>()

  constructor(catalog: readonly CatalogPrice[] = []) {
    for (const each of catalog) this.#catalog.set(each.product, each)
  }

  /** The most that it may cost, as far as is known. */
  priceOf({ currency, micros, product, units = 1 }: PricedPurchase): Micros | undefined {
    if (micros === undefined || product === undefined) return micros
    const listed = this.#catalog.get(product)
    const count = BigInt(Math.max(1, Math.ceil(units)))
    const prices = [micros, (this.#charged.get(product) ?? 0n) * count]
    if (listed?.currency === currency)
      prices.push(listed.per === 'unit' ? listed.micros * count : listed.micros)
    return prices.reduce((most, each) => (each > most ? each : most))
  }

  /** Notes what a whole purchase was charged. */
  charged({ product, units = 1 }: PricedPurchase, micros: Micros): void {
    if (product === undefined) return
    const count = BigInt(Math.max(1, Math.ceil(units)))
    const each = (micros + count - 1n) / count
    if (each >= (this.#charged.get(product) ?? 0n)) this.#charged.set(product, each)
    this.#unknown.delete(product)
  }

  /** Whether a finished purchase of it was charged. */
  isConfirmed(product: ProductAbility | undefined): boolean {
    return product !== undefined && this.#charged.has(product)
  }

  /** The answer to its first purchase does not show its price. */
  cannotTell(product: ProductAbility, why: string): void {
    if (!this.#charged.has(product)) this.#unknown.set(product, why)
  }

  whyUnknown(product: ProductAbility | undefined): string | undefined {
    return product && this.#unknown.get(product)
  }
}
