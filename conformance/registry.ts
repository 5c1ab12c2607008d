import type { CheckDefinition, InvariantDefinition } from './check.ts'
import * as allowlistEntries from './allowlist/entries.check.ts'
import * as allowlistRefusal from './allowlist/refusal.check.ts'
import * as allowlistWhoami from './allowlist/whoami.check.ts'
import * as authKeys from './auth/keys.check.ts'
import * as authOrderOfChecks from './auth/order-of-checks.check.ts'
import * as authScopes from './auth/scopes.check.ts'
import * as catalogEsim from './catalog/esim.check.ts'
import * as catalogEveryItem from './catalog/every-item.check.ts'
import * as catalogFlags from './catalog/flags.check.ts'
import * as catalogListing from './catalog/listing.check.ts'
import * as catalogPaging from './catalog/paging.check.ts'
import * as catalogSearch from './catalog/search.check.ts'
import * as catalogTypes from './catalog/types.check.ts'
import * as contentTypeMediaType from './content-type/media-type.check.ts'
import * as contentionDecided from './contention/decided.check.ts'
import * as contentionRefused from './contention/refused.check.ts'
import * as envelopeEveryResponse from './envelope/every-response.check.ts'
import * as idempotencyAsynchronous from './idempotency/asynchronous.check.ts'
import * as idempotencyCharge from './idempotency/charge.check.ts'
import * as idempotencyLostAnswer from './idempotency/lost-answer.check.ts'
import * as idempotencyNamespace from './idempotency/namespace.check.ts'
import * as idempotencyReplay from './idempotency/replay.check.ts'
import * as idempotencySimultaneous from './idempotency/simultaneous.check.ts'
import * as idempotencyTopUpCheck from './idempotency/top-up-check.check.ts'
import * as limitsPartitions from './limits/partitions.check.ts'
import * as limitsReport from './limits/report.check.ts'
import * as limitsWindows from './limits/windows.check.ts'
import * as ordersCreate from './orders/create.check.ts'
import * as ordersDirectTopUp from './orders/direct-top-up.check.ts'
import * as ordersEveryPurchase from './orders/every-purchase.check.ts'
import * as ordersLongOrder from './orders/long-order.check.ts'
import * as ordersQuantity from './orders/quantity.check.ts'
import * as ordersVouchers from './orders/vouchers.check.ts'
import * as readingMasking from './reading/masking.check.ts'
import * as readingPage from './reading/page.check.ts'
import * as readingReveal from './reading/reveal.check.ts'
import * as readingSelection from './reading/selection.check.ts'
import * as readingVisibility from './reading/visibility.check.ts'
import * as statesAsynchronous from './states/asynchronous.check.ts'
import * as statesEveryOrder from './states/every-order.check.ts'
import * as statesFinal from './states/final.check.ts'
import * as statesReadable from './states/readable.check.ts'
import * as transactionLimitAccounting from './transaction-limit/accounting.check.ts'
import * as transactionLimitBrim from './transaction-limit/brim.check.ts'
import * as transactionLimitConcurrent from './transaction-limit/concurrent.check.ts'
import * as transactionLimitRefusal from './transaction-limit/refusal.check.ts'
import * as transactionLimitTopUp from './transaction-limit/top-up.check.ts'
import * as validationBody from './validation/body.check.ts'

const CHECK_MODULES: readonly Readonly<Record<string, CheckDefinition>>[] = [
  allowlistEntries,
  allowlistRefusal,
  allowlistWhoami,
  authKeys,
  authOrderOfChecks,
  authScopes,
  catalogEsim,
  catalogFlags,
  catalogListing,
  catalogPaging,
  catalogSearch,
  catalogTypes,
  contentTypeMediaType,
  idempotencyAsynchronous,
  idempotencyCharge,
  idempotencyLostAnswer,
  idempotencyNamespace,
  idempotencyReplay,
  idempotencySimultaneous,
  idempotencyTopUpCheck,
  limitsPartitions,
  limitsReport,
  limitsWindows,
  ordersCreate,
  ordersDirectTopUp,
  ordersLongOrder,
  ordersQuantity,
  ordersVouchers,
  readingReveal,
  readingSelection,
  readingVisibility,
  statesAsynchronous,
  statesFinal,
  statesReadable,
  validationBody,
  transactionLimitRefusal,
  transactionLimitAccounting,
  contentionRefused,
  contentionDecided,
  transactionLimitConcurrent,
  transactionLimitBrim,
  transactionLimitTopUp,
]

const INVARIANT_MODULES: readonly Readonly<Record<string, InvariantDefinition>>[] = [
  catalogEveryItem,
  envelopeEveryResponse,
  ordersEveryPurchase,
  readingMasking,
  readingPage,
  statesEveryOrder,
]

/** Every check, in the order of their start: those that drain a cap that outlives the run come last. A check file that is not named here is dead, which knip reports. */
export const ALL_CHECKS: readonly CheckDefinition[] = CHECK_MODULES.flatMap((each) =>
  Object.values(each),
)

/** Checks that judge the whole history of a run, after all others. */
export const ALL_INVARIANTS: readonly InvariantDefinition[] = INVARIANT_MODULES.flatMap((each) =>
  Object.values(each),
)
