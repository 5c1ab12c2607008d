import type { Scope } from '../../contract/wire.ts'

/** What the keys of load may do: read the catalog, buy, and read their orders. */
export const BUYER_SCOPES = [
  'product:read',
  'orders:write',
  'orders:read',
] as const satisfies readonly Scope[]
