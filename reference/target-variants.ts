/** What variants change of the target file. */
import {
  BUCKETS,
  DEFAULT_LIMITS,
  FALLING_BACK,
  LIMIT_NAMES,
  OWN_LIMITS,
} from '../contract/limits.ts'
import type { LimitName, WindowLimit } from '../contract/limits.ts'
import { CODES } from './http/status-codes.ts'
import { formatMoney, requireMoney } from './base/money.ts'
import { morePerPiece } from './orders/read-line.ts'
import { titleOf } from './model/effective-limits.ts'
import type { LimitRules } from './base/types.ts'
import type { VariantSet } from './base/variants.ts'
import { OTHER_CODES } from './variants/codes.ts'
import { rulesOf } from './variants/limits.ts'
import { FOREIGN_PATHS, PREFIXED } from './variants/translate.ts'

/** The parts of a target file that variants change. */
export type TargetParts = {
  readonly capabilities: readonly string[]
  readonly operations: Readonly<Record<string, object>>
  readonly answers: Readonly<Record<string, unknown>>
  readonly products: Readonly<Record<string, object>>
  readonly limits?: Readonly<Partial<Record<LimitName, WindowLimit>>>
}

export function describedBy<T extends TargetParts>(
  file: T,
  variants: VariantSet,
  rules: LimitRules = {},
): T {
  return {
    ...file,
    operations: operationsOf(file.operations, variants),
    answers: answersOf(file.answers, variants),
    products: productsOf(file.products, variants),
    ...(variants.has('references-digits') && { referenceForm: 'digits' }),
    ...(variants.has('rate-limits-absent') && {
      capabilities: file.capabilities.filter((capability) => capability !== 'rate-limits'),
      limits: limitsOf(rulesOf(rules, variants)),
    }),
  }
}

/** Only vouchers have other prices. */
function productsOf(
  products: TargetParts['products'],
  variants: VariantSet,
): TargetParts['products'] {
  const more = morePerPiece(variants)
  if (more === 0) return products
  return Object.fromEntries(
    Object.entries(products).map(([name, product]) => [
      name,
      name.startsWith('voucher') ? dearer(product, more) : product,
    ]),
  )
}

function dearer(product: object & { readonly unitPrice?: string }, more: number): object {
  return { ...product, unitPrice: formatMoney(requireMoney(product.unitPrice ?? '') + more) }
}

function answersOf(answers: TargetParts['answers'], variants: VariantSet): TargetParts['answers'] {
  const { replayStatusCode, successStatusCode, ...others } = answers
  return {
    ...others,
    ...(!variants.has('codes-other-undeclared') && { replayStatusCode, successStatusCode }),
    ...(variants.has('codes-other') && {
      replayStatusCode: OTHER_CODES.get(CODES.idempotencyReplay),
      successStatusCode: OTHER_CODES.get(CODES.success),
    }),
    ...keyAnswersOf(variants),
    ...(variants.has('gift-quotes-upstream-missing') &&
      answers['platformGift'] === 'enabled' && { giftQuotes: 'upstream-missing' }),
    ...(variants.has('replay-answers-200') && { replayHttpStatus: 200 }),
    ...(variants.has('replay-answers-201') && { replayHttpStatus: 201 }),
  }
}

/** The status that refuses keys which are none, and those that hold no longer. */
function keyAnswersOf(variants: VariantSet): TargetParts['answers'] {
  const none = variants.has('unknown-keys-404') ? 404 : variants.has('refused-keys-403') ? 403 : 401
  const outlived =
    variants.has('refused-keys-403') || variants.has('refused-keys-mixed') ? 403 : 401
  return {
    missingKeyHttpStatus: none,
    unknownKeyHttpStatus: none,
    revokedKeyHttpStatus: outlived,
    expiredKeyHttpStatus: outlived,
  }
}

function limitsOf(rules: LimitRules): Partial<Record<LimitName, WindowLimit>> {
  const named = BUCKETS.filter((bucket) => bucket !== 'orders.unhide.admission')
  const general = rules.default ?? DEFAULT_LIMITS.default
  const entries = named.map((bucket) => {
    const isWithout = rules[bucket] === null && FALLING_BACK.has(bucket)
    return [bucket, isWithout ? general : (rules[bucket] ?? DEFAULT_LIMITS[bucket])]
  })
  const own = OWN_LIMITS.map((name) => [name, rules[name] ?? general])
  return Object.fromEntries([...entries, ...own]) as Partial<Record<LimitName, WindowLimit>>
}

function operationsOf(
  operations: TargetParts['operations'],
  variants: VariantSet,
): TargetParts['operations'] {
  const paths = variants.has('prefix-everywhere') ? pathsOf(PREFIXED) : {}
  // A stranger reports limits in its own form.
  const unit = variants.has('rate-limits-in-milliseconds') && { windowUnit: 'milliseconds' }
  const changes: Record<string, object> = variants.has('stranger')
    ? FOREIGN
    : { ...paths, ...(unit && { rateLimits: { ...paths['rateLimits'], ...unit } }) }
  const merged = Object.entries(changes).map(([name, change]) => [
    name,
    { ...operations[name], ...change },
  ])
  return { ...operations, ...Object.fromEntries(merged) }
}

function pathsOf(paths: Readonly<Record<string, string>>): Record<string, object> {
  return Object.fromEntries(Object.entries(paths).map(([name, path]) => [name, { path }]))
}

const PRODUCT = { product: { line: '{{serviceId}}', code: '{{itemId}}' } }
const PLAYER = { ...PRODUCT, amount: '{{amount}}', player: '{{topUpAccount}}' }
const REFERENCE = { referenceId: '{{referenceId}}' }
const LINE = { ordersType: 'shop', ...PRODUCT, quantity: '{{quantity}}' }

function limitSelectors(): Record<string, string> {
  const places = {
    count: 'budget.requests',
    windowSeconds: 'budget.seconds',
    source: 'origin',
  }
  const entries = LIMIT_NAMES.flatMap((bucket) =>
    Object.entries(places).map(([value, place]) => [
      `${bucket}.${value}`,
      `$.data.rules[?@.name == '${titleOf(bucket)}'].${place}`,
    ]),
  )
  return Object.fromEntries(entries) as Record<string, string>
}

const FOREIGN: Readonly<Record<string, object>> = {
  whoami: { selectors: { address: '/data/caller/ip' } },
  listServices: {
    selectors: {
      items: '$.data.catalog[*].offers[*]',
      services: '$.data.catalog[*]',
      names: '$.data.catalog[*].title',
      total: '/data/total',
    },
  },
  lookupItems: {
    path: FOREIGN_PATHS.lookupItems,
    body: { wanted: [PRODUCT] },
    selectors: { items: '/data/items' },
  },
  getItem: { path: FOREIGN_PATHS.getItem },
  createOrder: {
    bodies: {
      shop: { ordersType: 'shop', ...REFERENCE, ...PRODUCT, quantity: '{{quantity}}' },
      dtu: { ordersType: 'dtu', ...REFERENCE, ...PLAYER },
      'dtu-check': { ordersType: 'dtu', checkOnly: true, ...REFERENCE, ...PLAYER },
      esim: { ordersType: 'esim', ...REFERENCE, ...PRODUCT, quantity: '{{quantity}}' },
      'platform-gift': {
        ordersType: 'platform-gift',
        ...REFERENCE,
        quoteToken: '{{quoteToken}}',
        presents: [
          {
            recipient_region: '{{recipientRegion}}',
            invite_url: '{{inviteUrl}}',
            profile_url: '{{profileUrl}}',
          },
        ],
      },
    },
  },
  getOrders: {
    selectors: {
      orderIds: '$.data.page.items[*].number',
      referenceIds: '$.data.page.items[*].reference',
      prices: '$.data.page.items[*].cost.value',
      codes: '$.data.page.items[*].delivered.vouchers[*].pin',
    },
  },
  createCart: {
    body: { ...REFERENCE, lines: [LINE, LINE] },
    bodies: { dtu: { ordersType: 'dtu', ...PLAYER }, esim: { ...LINE, ordersType: 'esim' } },
  },
  validateDtu: { body: PLAYER, selectors: { valid: '/data/outcome/accepted' } },
  getBalance: { path: FOREIGN_PATHS.getBalance, selectors: { balance: '/data/money/amount' } },
  getLedger: { path: FOREIGN_PATHS.getLedger, selectors: { entries: '/data/movements' } },
  rateLimits: { selectors: limitSelectors() },
}
