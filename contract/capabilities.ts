import type { Scope } from './wire.ts'

/** Optional parts of the interface that a target declares. `base` is always there. */
export const CAPABILITIES = [
  'base',
  'catalog',
  'item-lookup',
  'shop',
  'async',
  'long-orders',
  'quantity-items',
  'dtu',
  'dtu-check',
  'dtu-validation',
  'esim',
  'platform-gift',
  'cart',
  'funds',
  'transaction-limit',
  'allowlist',
  'unhide',
  'rate-limits',
] as const
export type Capability = (typeof CAPABILITIES)[number]

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
} as const
export type Role = keyof typeof ROLES

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
}

/** What a product can do for a check. */
export const PRODUCT_ABILITIES = [
  'voucher',
  'voucher-async',
  'voucher-partial',
  'voucher-cancelled',
  'voucher-long',
  'dtu',
  'dtu-timeout',
  'dtu-slow',
  'quantity',
  'esim',
  'esim-raw',
  'platform-gift',
] as const
export type ProductAbility = (typeof PRODUCT_ABILITIES)[number]
