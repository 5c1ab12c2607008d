/** The catalog: what is sold, at which price, and how a purchase of it behaves. */
import type { SERVICE_TYPES, TransactionStatus } from '../../contract/wire.ts'

export type ServiceType = (typeof SERVICE_TYPES)[number]

/** How a purchase of an item ends. */
export type Delivery = {
  readonly asynchronous: boolean
  readonly outcome: Exclude<TransactionStatus, 'IN_PROGRESS'>
  /** The eSIM supplier sends a payload without a usable qrCodeText. */
  readonly rawPayload?: true
  /** The shop service refuses every quote for its own rate limit. */
  readonly upstreamLimited?: true
  /** How often the provider does not answer a top-up check. */
  readonly providerTimeouts?: number
}

/** A top-up counted in units. */
export type QuantityMode = {
  readonly minQuantity: number
  readonly maxQuantity: number
  readonly stepQuantity: number
  readonly unitPriceMinor: number
}

export type Item = {
  readonly id: string
  readonly name: string
  readonly currency: string
  /** Price of one piece; of a top-up in amount mode, price of one unit of the amount. */
  readonly priceMinor: number
  readonly inStock: number
  readonly quantityMode?: QuantityMode
  readonly minQtyToLongOrder?: number
  readonly delivery: Delivery
}

export type CatalogService = {
  readonly id: string
  readonly name: string
  readonly type: ServiceType
  readonly imageUrl?: string
  readonly items: readonly Item[]
}

const atOnce: Delivery = { asynchronous: false, outcome: 'SUCCESS' }
const later: Delivery = { asynchronous: true, outcome: 'SUCCESS' }

function item(id: string, name: string, priceMinor: number, more: Partial<Item> = {}): Item {
  return { id, name, currency: 'USD', priceMinor, inStock: 100_000, delivery: atOnce, ...more }
}

const VOUCHERS: readonly CatalogService[] = [
  {
    id: 'svc-arcade',
    name: 'Arcade Credits',
    type: 'voucher',
    items: [
      item('arcade-1', 'Arcade Credits 1 USD', 100),
      item('arcade-5', 'Arcade Credits 5 USD', 500),
    ],
  },
  {
    id: 'svc-streaming',
    name: 'Streaming Pass',
    type: 'voucher',
    items: [item('streaming-month', 'Streaming Pass, one month', 200, { delivery: later })],
  },
  {
    id: 'svc-bundle',
    name: 'Market Bundle',
    type: 'voucher',
    items: [
      item('bundle-scarce', 'Market Bundle, last pieces', 100, {
        delivery: { asynchronous: true, outcome: 'PARTIALLY_COMPLETED' },
      }),
      item('bundle-gone', 'Market Bundle, sold out', 100, {
        delivery: { asynchronous: true, outcome: 'CANCELLED' },
      }),
      item('bundle-limited', 'Market Bundle, in great demand', 100, {
        delivery: { ...atOnce, upstreamLimited: true },
      }),
    ],
  },
  {
    id: 'svc-bulk',
    name: 'Bulk Gift Card',
    type: 'voucher',
    items: [item('bulk-card', 'Bulk Gift Card 1 USD', 100, { minQtyToLongOrder: 5 })],
  },
  {
    id: 'svc-etoile',
    name: 'ÉTOILE Music Card',
    type: 'voucher',
    items: [item('etoile-10', '10 USD', 1000)],
  },
  {
    id: 'svc-books',
    name: 'Harbour Books Card',
    type: 'voucher',
    items: [item('books-25', 'Harbour Books Card 25 USD', 2500)],
  },
  {
    id: 'svc-console',
    name: 'Console Wallet',
    type: 'voucher',
    items: [item('console-20', '20 USD', 2000), item('console-50', '50 USD', 5000)],
  },
]

const TOP_UPS: readonly CatalogService[] = [
  {
    id: 'svc-mobile',
    name: 'Northwind Mobile',
    type: 'direct_topup',
    items: [
      item('mobile-open', 'Northwind Mobile top-up', 100),
      item('mobile-silent', 'Northwind Mobile top-up by a silent provider', 100, {
        delivery: { ...atOnce, providerTimeouts: 2 },
      }),
      item('mobile-slow', 'Northwind Mobile top-up by a slow provider', 100, {
        delivery: { ...atOnce, providerTimeouts: 1 },
      }),
    ],
  },
  {
    id: 'svc-crystals',
    name: 'Quest Crystals',
    type: 'direct_topup',
    items: [
      item('crystals', 'Quest Crystals by the piece', 2, {
        quantityMode: { minQuantity: 10, maxQuantity: 5000, stepQuantity: 10, unitPriceMinor: 2 },
      }),
    ],
  },
]

const ESIMS: readonly CatalogService[] = [
  {
    id: 'svc-esim-europe',
    name: 'Europe Traveller eSIM',
    type: 'esim',
    imageUrl: 'https://images.example/flags/europe.png',
    items: [item('esim-europe-1gb', 'Europe Traveller eSIM, 1 GB', 450, { delivery: later })],
  },
  {
    id: 'svc-esim-islands',
    name: 'Islands Traveller eSIM',
    type: 'esim',
    imageUrl: 'https://images.example/flags/islands.png',
    items: [
      item('esim-islands-1gb', 'Islands Traveller eSIM, 1 GB', 650, {
        delivery: { ...later, rawPayload: true },
      }),
    ],
  },
]

export const CATALOG: readonly CatalogService[] = [...VOUCHERS, ...TOP_UPS, ...ESIMS]

/** What one variant lists: products that nobody asks for, in front and behind. */
const FILLERS: readonly CatalogService[] = Array.from({ length: 60 }, (_, index) => ({
  id: `svc-filler-${index}`,
  name: `Filler Card ${index}`,
  type: 'voucher',
  items: [item(`filler-${index}`, `Filler Card ${index}`, 100 + index)],
}))

export const LARGER_CATALOG: readonly CatalogService[] = [
  ...FILLERS.slice(0, 20),
  ...CATALOG,
  ...FILLERS.slice(20),
]

const SERVICES_BY_ID = new Map(LARGER_CATALOG.map((service) => [service.id, service]))

/** How a variant names an item: without its service, unless that is the one that is searched for. */
export function briefName(name: string, ofService: string): string {
  return ofService === CATALOG[0]?.name ? name : name.replace(ofService, '').trim()
}

export function serviceById(id: string): CatalogService | undefined {
  return SERVICES_BY_ID.get(id)
}

export function itemOf(service: CatalogService, itemId: string): Item | undefined {
  return service.items.find((candidate) => candidate.id === itemId)
}
