/** The target file of the reference service: all that a client has to know beyond the interface (the choices of CHOICES.md). */
import { CAPABILITIES, type ProductAbility, type Role } from '../contract/capabilities.ts'
import { LIMIT_NAMES } from '../contract/limits.ts'
import { CODES } from './http/status-codes.ts'
import { titleOf } from './model/effective-limits.ts'
import { DEMO_KEYS, DEMO_ROLES, DEMO_TRANSACTION_LIMIT, envNameOf } from './seed.ts'
import { DEFAULTS } from './service.ts'
import type { LimitRules } from './base/types.ts'
import { describedBy } from './target-variants.ts'
import { type VariantName, variantSet } from './base/variants.ts'

export type TargetFileOptions = {
  readonly platformGift?: 'enabled' | 'disabled'
  readonly asyncCompletionMs?: number
  /** Where it is stated, a run waits for quotes to expire. */
  readonly quoteSeconds?: number
  readonly variants?: readonly VariantName[]
  /** Rules of the service, told only where a variant keeps them from being read. */
  readonly limits?: LimitRules
}

/** The content of a target file (schemas/target.schema.json) for a service at `baseUrl`. */
export function targetFile(
  baseUrl: string,
  controlBaseUrl?: string,
  options: TargetFileOptions = {},
): object {
  const { platformGift = 'disabled', asyncCompletionMs = DEFAULTS.asyncCompletionMs } = options
  const { quoteSeconds } = options
  const hasGifts = platformGift === 'enabled'
  const file = {
    name: 'reference service',
    baseUrl,
    environment: 'sandbox',
    timing: 'strict',
    capabilities: CAPABILITIES.filter((each) => hasGifts || each !== 'platform-gift'),
    credentials: Object.fromEntries(DEMO_ROLES.map((role) => [role, credentialOf(role)])),
    products: productsOf(asyncCompletionMs, hasGifts ? { quoteSeconds } : undefined),
    operations: hasGifts ? { ...OPERATIONS, createGiftQuote: GIFT_QUOTE } : OPERATIONS,
    answers: {
      missingKeyHttpStatus: 401,
      unknownKeyHttpStatus: 401,
      revokedKeyHttpStatus: 401,
      expiredKeyHttpStatus: 401,
      replayStatusCode: CODES.idempotencyReplay,
      successStatusCode: CODES.success,
      platformGift,
    },
    ...(controlBaseUrl !== undefined && { control: { baseUrl: controlBaseUrl } }),
  }
  return describedBy(file, variantSet(options.variants), options.limits)
}

const OTHER_ACCOUNTS: Readonly<Partial<Record<Role, string>>> = {
  stranger: 'other',
  background: 'background',
}

function credentialOf(role: Role): object {
  const { allowlist } = DEMO_KEYS[role]
  return {
    env: envNameOf(role),
    account: OTHER_ACCOUNTS[role] ?? 'main',
    ...(role === 'capped' && {
      transactionLimit: { currency: 'USD', limit: DEMO_TRANSACTION_LIMIT, used: '0' },
    }),
    ...(allowlist !== undefined && { allowlist }),
  }
}

type ProductFacts = { readonly unitPrice: string; readonly search?: string; readonly later?: true }

type GiftFacts = { readonly quoteSeconds: number | undefined }

function productsOf(
  asyncCompletionMs: number,
  gifts: GiftFacts | undefined,
): Readonly<Record<string, object>> {
  // A margin for slow machines: the harness waits at most this long, it does not judge by it.
  const completesWithinSeconds = Math.ceil(asyncCompletionMs / 1000) + 5
  const product = (serviceId: string, itemId: string, facts: ProductFacts, more = {}): object => ({
    variables: { serviceId, itemId, ...more },
    currency: 'USD',
    unitPrice: facts.unitPrice,
    ...(facts.later && { completesWithinSeconds }),
    ...(facts.search !== undefined && { search: facts.search }),
  })
  const topUp = { topUpAccount: 'player-5550100' }
  const products: Partial<Record<ProductAbility, object>> = {
    voucher: product('svc-arcade', 'arcade-1', { unitPrice: '1.00', search: 'Arcade Credits' }),
    'voucher-async': product('svc-streaming', 'streaming-month', {
      unitPrice: '2.00',
      search: 'Streaming Pass',
      later: true,
    }),
    'voucher-partial': product('svc-bundle', 'bundle-scarce', { unitPrice: '1.00', later: true }),
    'voucher-cancelled': product('svc-bundle', 'bundle-gone', { unitPrice: '1.00', later: true }),
    'voucher-upstream-limited': product('svc-bundle', 'bundle-limited', { unitPrice: '1.00' }),
    'voucher-long': product('svc-bulk', 'bulk-card', { unitPrice: '1.00', later: true }),
    dtu: product('svc-mobile', 'mobile-open', { unitPrice: '1.00' }, topUp),
    'dtu-timeout': product('svc-mobile', 'mobile-silent', { unitPrice: '1.00' }, topUp),
    'dtu-slow': product('svc-mobile', 'mobile-slow', { unitPrice: '1.00' }, topUp),
    quantity: product('svc-crystals', 'crystals', { unitPrice: '0.02' }, topUp),
    esim: product('svc-esim-europe', 'esim-europe-1gb', { unitPrice: '4.50', later: true }),
    'esim-raw': product('svc-esim-islands', 'esim-islands-1gb', { unitPrice: '6.50', later: true }),
  }
  return gifts
    ? { ...products, 'platform-gift': giftProduct(completesWithinSeconds, gifts) }
    : products
}

function giftProduct(completesWithinSeconds: number, { quoteSeconds }: GiftFacts): object {
  return {
    variables: {
      editionId: 'edition-lantern',
      recipientRegion: 'EU',
      otherEditionId: 'edition-lantern-deluxe',
      otherRecipientRegion: 'US',
      inviteUrl: 'https://platform.example/invite/lantern',
      profileUrl: 'https://platform.example/profile/keeper',
    },
    currency: 'USD',
    unitPrice: '15.00',
    completesWithinSeconds,
    ...(quoteSeconds !== undefined && { quoteSeconds }),
  }
}

const PLACE = { serviceId: '{{serviceId}}', itemId: '{{itemId}}' }
const TOP_UP = { ...PLACE, amount: '{{amount}}', topUp: { account: '{{topUpAccount}}' } }

const ORDER_BODIES = {
  shop: { ordersType: 'shop', referenceId: '{{referenceId}}', ...PLACE, quantity: '{{quantity}}' },
  dtu: { ordersType: 'dtu', referenceId: '{{referenceId}}', ...TOP_UP },
  'dtu-check': {
    ordersType: 'dtu',
    checkOnly: true,
    referenceId: '{{referenceId}}',
    ...TOP_UP,
  },
  esim: { ordersType: 'esim', referenceId: '{{referenceId}}', ...PLACE, quantity: '{{quantity}}' },
  'platform-gift': {
    ordersType: 'platform-gift',
    referenceId: '{{referenceId}}',
    quoteToken: '{{quoteToken}}',
    gifts: [
      {
        recipient_region: '{{recipientRegion}}',
        invite_url: '{{inviteUrl}}',
        profile_url: '{{profileUrl}}',
      },
    ],
  },
}

function bucketSelectors(): Record<string, string> {
  const entries = LIMIT_NAMES.flatMap((bucket) => {
    const rule = `$.data.limits[?@.bucket == '${titleOf(bucket)}']`
    return ['count', 'windowSeconds', 'source'].map((value) => [
      `${bucket}.${value}`,
      `${rule}.${value}`,
    ])
  })
  return Object.fromEntries(entries) as Record<string, string>
}

const GIFT_QUOTE = {
  body: { editionId: '{{editionId}}', recipientRegion: '{{recipientRegion}}' },
  selectors: { quoteToken: '/data/quoteToken' },
}

const OPERATIONS = {
  whoami: { selectors: { address: '/data/callerAddress' } },
  listServices: {
    selectors: {
      items: '$.data.services[*].items[*]',
      services: '$.data.services[*]',
      names: '$.data.services[*].name',
      total: '/data/total',
    },
  },
  lookupItems: {
    path: '/api/v1/items/lookup',
    body: { items: [PLACE] },
    selectors: { items: '/data/items' },
  },
  getItem: {
    path: '/api/v1/services/{serviceId}/items/{itemId}',
    selectors: { item: '/data' },
  },
  createOrder: {
    bodies: ORDER_BODIES,
    selectors: { codes: '$.data.result.vouchers[*].pin' },
  },
  getOrders: {
    selectors: {
      orderIds: '$.data.page.items[*].orderId',
      referenceIds: '$.data.page.items[*].referenceId',
      prices: '$.data.page.items[*].price',
      codes: '$.data.page.items[*].result.vouchers[*].pin',
    },
  },
  createCart: {
    bodies: {
      dtu: { ordersType: 'dtu', ...TOP_UP },
      esim: { ordersType: 'esim', ...PLACE, quantity: '{{quantity}}' },
    },
    body: {
      referenceId: '{{referenceId}}',
      positions: [
        { ordersType: 'shop', ...PLACE, quantity: '{{quantity}}' },
        { ordersType: 'shop', ...PLACE, quantity: '{{quantity}}' },
      ],
    },
  },
  validateDtu: { body: TOP_UP, selectors: { valid: '/data/valid' } },
  getBalance: { path: '/api/v1/balance', selectors: { balance: '/data/balance' } },
  getLedger: { path: '/api/v1/ledger', selectors: { entries: '/data/entries' } },
  rateLimits: { selectors: bucketSelectors() },
}
