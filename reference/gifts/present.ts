import type { TransactionStatus } from '../../contract/wire.ts'
import type { Order } from '../model/order.ts'

/** PlatformGiftSnapshot: safe fields only. */
export function presentGift(order: Order, status: TransactionStatus): object {
  const { gift } = order.line
  const pending = status === 'IN_PROGRESS'
  const updatedAtMs = pending ? order.createdAtWallMs : order.createdAtWallMs + 1
  return {
    platformGift: {
      deliveryState: pending ? 'in_progress' : 'completed',
      giftState: pending ? 'pending' : 'accepted',
      editionName: gift?.editionName,
      productName: gift?.productName,
      recipientRegion: gift?.recipientRegion,
      requiresCustomerAction: false,
      resolutionRequired: false,
      retryable: false,
      updatedAt: new Date(updatedAtMs).toISOString(),
    },
  }
}
