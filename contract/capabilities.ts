import type { Scope, SERVICE_TYPES } from './wire.ts'

/** Optional parts of the interface that a target declares, and what each means. `base` is always there. */
export const CAPABILITY_MEANINGS = {
  base: 'what every target has: envelopes, keys, scopes',
  catalog: 'products are listed, filtered and paged (GET /api/v1/services)',
  'item-lookup': 'items are looked up by service and item, and a single item is shown',
  shop: 'vouchers are bought (ordersType shop)',
  async: 'some orders are accepted first and completed later',
  'long-orders': 'some items take long orders (isLongOrder)',
  'quantity-items': 'some top-ups are bought by a count of units (amountIsQuantity)',
  dtu: 'top-ups are bought (ordersType dtu)',
  'dtu-check': 'top-ups are validated by orders with checkOnly',
  'dtu-validation': 'top-ups are validated by POST /dtu/validation',
  esim: 'eSIMs are bought (ordersType esim)',
  'platform-gift': 'gifts are quoted and bought; the feature is on for the account',
  cart: 'several items are bought at once (POST /carts)',
  funds: 'balance and ledger are read with funds:read',
  'transaction-limit': 'keys may have a lifetime spend cap',
  allowlist: 'keys may have an allowlist of addresses',
  unhide: 'codes are masked, and revealed with unhide=true',
  'rate-limits': 'windows are kept, and reported by GET /rate-limits',
} as const
export type Capability = keyof typeof CAPABILITY_MEANINGS
export const CAPABILITIES = Object.keys(CAPABILITY_MEANINGS) as Capability[]

/** What a caller's key is, in the harness's words. A target file gives each role a credential; what it lacks makes checks untested. */
export const ROLES = {
  full: 'scopes product:read, orders:write and orders:read; no cap that the run could reach',
  sibling: 'another key of the account of full, with the same scopes',
  stranger: 'a key of another account, with the scopes of full',
  browser: 'scope product:read only, in the account of full',
  writer: 'scope orders:write only, in the account of full',
  poller: 'scope orders:read only, in the account of full',
  unscoped: 'a key without any scope, in the account of full',
  capped: 'scopes of full, with a transaction limit that the run may spend',
  blocked: 'scopes of full, with an allowlist that excludes the harness',
  'blocked-unscoped': 'no scope, and an allowlist that excludes the harness',
  allowed: 'scopes of full, with an allowlist that includes the harness',
  revoked: 'a key that was revoked',
  expired: 'a key that has expired',
  'revoked-unscoped': 'a key without any scope that was revoked',
  'expired-unscoped': 'a key without any scope that has expired',
  funds: 'scope funds:read, in the account of full',
  background: 'the scopes of full, in an account that no check uses: for --under-load',
} as const
export type Role = keyof typeof ROLES

/** Roles whose meaning says that they belong to the account of `full`. */
export const ACCOUNT_OF_FULL = [
  'sibling',
  'browser',
  'writer',
  'poller',
  'unscoped',
  'funds',
] as const satisfies readonly Role[]

/** Scopes of a buyer who may do everything but read funds. */
export const BUYER_SCOPES = ['product:read', 'orders:write', 'orders:read'] as const

/** The scopes that the meaning of each role says. */
export const ROLE_SCOPES: Readonly<Record<Role, readonly Scope[]>> = {
  full: BUYER_SCOPES,
  sibling: BUYER_SCOPES,
  stranger: BUYER_SCOPES,
  browser: ['product:read'],
  writer: ['orders:write'],
  poller: ['orders:read'],
  unscoped: [],
  capped: BUYER_SCOPES,
  blocked: BUYER_SCOPES,
  'blocked-unscoped': [],
  allowed: BUYER_SCOPES,
  revoked: BUYER_SCOPES,
  expired: BUYER_SCOPES,
  'revoked-unscoped': [],
  'expired-unscoped': [],
  funds: ['funds:read'],
  background: BUYER_SCOPES,
}

/** What a product can do for a check. */
export const ABILITY_MEANINGS = {
  voucher: 'a voucher that is delivered at once',
  'voucher-async': 'a voucher that is delivered later',
  'voucher-partial': 'a voucher that is delivered only in part',
  'voucher-cancelled': 'a voucher whose orders end as CANCELLED',
  'voucher-long': 'a voucher that takes long orders',
  'voucher-upstream-limited': 'a voucher that the shop service refuses for its own rate limit',
  dtu: 'a top-up by amount',
  'dtu-timeout': 'a top-up whose provider never answers a check',
  'dtu-slow': 'a top-up whose provider is silent once and then answers a check',
  quantity: 'a top-up by a count of units',
  esim: 'an eSIM',
  'esim-raw': 'an eSIM whose payload has no usable qrCodeText',
  'platform-gift': 'an edition of the gift feature, with a region of its recipient',
} as const
export type ProductAbility = keyof typeof ABILITY_MEANINGS
export const PRODUCT_ABILITIES = Object.keys(ABILITY_MEANINGS) as ProductAbility[]

type Abilities = readonly [ProductAbility, ...ProductAbility[]]

/** Products by the type that GET /services lists them as: what tells types apart, since no field of a product is shown that names its type. */
export const SOLD_AS: Readonly<Record<(typeof SERVICE_TYPES)[number], Abilities>> = {
  voucher: [
    'voucher',
    'voucher-async',
    'voucher-partial',
    'voucher-cancelled',
    'voucher-long',
    'voucher-upstream-limited',
  ],
  direct_topup: ['dtu', 'dtu-timeout', 'dtu-slow', 'quantity'],
  esim: ['esim', 'esim-raw'],
}
