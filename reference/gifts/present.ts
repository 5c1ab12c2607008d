import type { TransactionStatus } from '../../contract/wire.ts'
import type { FaultSet } from '../faults/faults.ts'
import { REGIONS } from '../model/gift-quotes.ts'
import type { Order } from '../model/order.ts'

/** PlatformGiftSnapshot: safe fields only. */
export function presentGift(order: Order, status: TransactionStatus, faults: FaultSet): object {
  const { gift } = order.line
  const pending = status === 'IN_PROGRESS'
  const updatedAtMs = pending ? order.createdAtWallMs : order.createdAtWallMs + 1
  return {
    platformGift: {
      deliveryState: pending ? 'in_progress' : 'completed',
      giftState: pending ? 'pending' : 'accepted',
      editionName: gift?.editionName,
      productName: gift?.productName,
      recipientRegion: faults.has('gift-region-shown-fixed') ? REGIONS[0] : gift?.recipientRegion,
      requiresCustomerAction: false,
      resolutionRequired: false,
      retryable: false,
      updatedAt: new Date(updatedAtMs).toISOString(),
    },
  }
}
