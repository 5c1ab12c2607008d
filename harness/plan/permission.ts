import type { PurchasePermission } from '../purchases/purchase.ts'

/** What the run may do to the target, and why. */
export type Permission = {
  /** Undefined: no purchase. */
  readonly purchases?: PurchasePermission
  /** Load scenarios run, and windows are spent to their limit. Without it less than a quarter of each window is spent. */
  readonly load: boolean
  readonly reason: string
}
