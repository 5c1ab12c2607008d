import { entries } from './entries.ts'

/** Fields of the platform-gift snapshot. */
export const GIFT_SNAPSHOT = entries(
  'Resources and their fields > PurchaseResponse',
  'platform-gift',
  {
    'SNAP-01': {
      source: ['row platformGift', 'paragraph 5'],
      text: 'platformGift, where the result of a gift order has it, is an object.',
    },
    'SNAP-02': {
      source: ['row deliveryState', 'States and transitions: bullet 5 sentence 1'],
      text: 'deliveryState, where the snapshot has it, is a string.',
    },
    'SNAP-03': {
      source: ['row giftState', 'States and transitions: bullet 5 sentence 1'],
      text: 'giftState, where the state of the recipient is known, is pending, accepted or declined.',
    },
    'SNAP-04': {
      source: ['row editionName'],
      text: 'editionName, where the snapshot has it, is a string.',
    },
    'SNAP-05': {
      source: ['row productName'],
      text: 'productName, where the snapshot has it, is a string.',
    },
    'SNAP-06': {
      source: ['row recipientRegion'],
      text: 'recipientRegion, where the snapshot has it, is a string, and not the region of another gift.',
    },
    'SNAP-07': {
      source: ['row errorCode'],
      text: 'errorCode, where the snapshot has it, is a string with a public code, not a body of the upstream service.',
    },
    'SNAP-08': {
      source: ['row requiresCustomerAction'],
      text: 'requiresCustomerAction is a boolean or left out, which means false.',
    },
    'SNAP-09': {
      source: ['row resolutionRequired'],
      text: 'The snapshot always has resolutionRequired, a boolean.',
    },
    'SNAP-10': {
      source: ['row resolutionRequired'],
      text: 'resolutionRequired is true while people have to look at the gift.',
      excluded: 'No request of a client puts a gift under review.',
    },
    'SNAP-11': {
      source: ['row retryable'],
      text: 'retryable is a boolean or left out, which means false.',
    },
    'SNAP-12': {
      source: ['row updatedAt'],
      text: 'updatedAt, where the snapshot has it, is an ISO 8601 date and time.',
    },
    'SNAP-13': {
      source: ['paragraph 5'],
      text: 'The snapshot tells neither credentials of bots nor transaction ids of the platform nor raw errors.',
    },
  },
)
