import type { CheckDefinition, InvariantDefinition } from './engine/check.ts'
import * as allowlistEntries from './allowlist/entries.check.ts'
import * as allowlistEveryCall from './allowlist/every-call.check.ts'
import * as allowlistRefusal from './allowlist/refusal.check.ts'
import * as allowlistWhoami from './allowlist/whoami.check.ts'
import * as answersGoodRequests from './answers/good-requests.check.ts'
import * as authEveryForm from './auth/every-form.check.ts'
import * as authKeyElsewhere from './auth/key-elsewhere.check.ts'
import * as authKeys from './auth/keys.check.ts'
import * as authOrderOfChecks from './auth/order-of-checks.check.ts'
import * as authScopeFirst from './auth/scope-first.check.ts'
import * as authScopes from './auth/scopes.check.ts'
import * as authSingleScopes from './auth/single-scopes.check.ts'
import * as authWindowLast from './auth/window-last.check.ts'
import * as cartAnswer from './cart/answer.check.ts'
import * as cartCap from './cart/cap.check.ts'
import * as cartConcurrent from './cart/concurrent.check.ts'
import * as cartCopies from './cart/copies.check.ts'
import * as cartCreate from './cart/create.check.ts'
import * as cartEveryCheckout from './cart/every-checkout.check.ts'
import * as cartInvalidPosition from './cart/invalid-position.check.ts'
import * as cartLostAnswer from './cart/lost-answer.check.ts'
import * as cartQuantities from './cart/quantities.check.ts'
import * as cartReference from './cart/reference.check.ts'
import * as cartReveal from './cart/reveal.check.ts'
import * as cartVisibility from './cart/visibility.check.ts'
import * as catalogEsim from './catalog/esim.check.ts'
import * as catalogEveryItem from './catalog/every-item.check.ts'
import * as catalogFlags from './catalog/flags.check.ts'
import * as catalogListing from './catalog/listing.check.ts'
import * as catalogPaging from './catalog/paging.check.ts'
import * as catalogSearch from './catalog/search.check.ts'
import * as catalogTypes from './catalog/types.check.ts'
import * as contentTypeForms from './content-type/forms.check.ts'
import * as contentTypePutAndPatch from './content-type/put-and-patch.check.ts'
import * as contentTypeMediaType from './content-type/media-type.check.ts'
import * as contentionDecided from './contention/decided.check.ts'
import * as contentionRefused from './contention/refused.check.ts'
import * as dtuCheckAnswer from './dtu-check/answer.check.ts'
import * as dtuCheckBucket from './dtu-check/bucket.check.ts'
import * as dtuCheckOneBucket from './dtu-check/one-bucket.check.ts'
import * as dtuCheckOthersPass from './dtu-check/others-pass.check.ts'
import * as dtuCheckTimeout from './dtu-check/timeout.check.ts'
import * as dtuCheckValidation from './dtu-check/validation.check.ts'
import * as dtuCheckWindow from './dtu-check/window.check.ts'
import * as envelopeEveryResponse from './envelope/every-response.check.ts'
import * as envelopeOtherMethod from './envelope/other-method.check.ts'
import * as esimActivation from './esim/activation.check.ts'
import * as esimCap from './esim/cap.check.ts'
import * as esimIssued from './esim/issued.check.ts'
import * as esimOrder from './esim/order.check.ts'
import * as esimPending from './esim/pending.check.ts'
import * as esimReplay from './esim/replay.check.ts'
import * as fundsClosed from './funds/closed.check.ts'
import * as fundsReplay from './funds/replay.check.ts'
import * as fundsRefused from './funds/refused.check.ts'
import * as fundsScopes from './funds/scopes.check.ts'
import * as fundsTimeout from './funds/timeout.check.ts'
import * as fundsWindows from './funds/windows.check.ts'
import * as idempotencyAsynchronous from './idempotency/asynchronous.check.ts'
import * as idempotencyCharge from './idempotency/charge.check.ts'
import * as idempotencyLater from './idempotency/later.check.ts'
import * as idempotencyChargeOfKinds from './idempotency/charge-of-kinds.check.ts'
import * as idempotencyChargeOfSiblings from './idempotency/charge-of-siblings.check.ts'
import * as idempotencyEveryReplay from './idempotency/every-replay.check.ts'
import * as idempotencyLongReferences from './idempotency/long-references.check.ts'
import * as idempotencyLostAnswer from './idempotency/lost-answer.check.ts'
import * as idempotencyNamespace from './idempotency/namespace.check.ts'
import * as idempotencyOtherKind from './idempotency/other-kind.check.ts'
import * as idempotencyReplay from './idempotency/replay.check.ts'
import * as idempotencySimultaneous from './idempotency/simultaneous.check.ts'
import * as idempotencyTopUp from './idempotency/top-up.check.ts'
import * as idempotencyTopUpCheck from './idempotency/top-up-check.check.ts'
import * as limitsEveryEndpoint from './limits/every-endpoint.check.ts'
import * as limitsEveryRefusal from './limits/every-refusal.check.ts'
import * as limitsApart from './limits/apart.check.ts'
import * as limitsPartitions from './limits/partitions.check.ts'
import * as limitsReport from './limits/report.check.ts'
import * as limitsUnhideReport from './limits/unhide-report.check.ts'
import * as limitsWindows from './limits/windows.check.ts'
import * as lookupElements from './lookup/elements.check.ts'
import * as lookupPairs from './lookup/pairs.check.ts'
import * as lookupScopes from './lookup/scopes.check.ts'
import * as lookupSingleItem from './lookup/single-item.check.ts'
import * as ordersCreate from './orders/create.check.ts'
import * as ordersDirectTopUp from './orders/direct-top-up.check.ts'
import * as ordersEveryPurchase from './orders/every-purchase.check.ts'
import * as ordersLongOrder from './orders/long-order.check.ts'
import * as ordersLongOrderDelivery from './orders/long-order-delivery.check.ts'
import * as ordersLongOrderElsewhere from './orders/long-order-elsewhere.check.ts'
import * as ordersNoPieces from './orders/no-pieces.check.ts'
import * as ordersQuantity from './orders/quantity.check.ts'
import * as ordersUpstreamLimit from './orders/upstream-limit.check.ts'
import * as ordersVouchers from './orders/vouchers.check.ts'
import * as platformGiftCap from './platform-gift/cap.check.ts'
import * as platformGiftComplete from './platform-gift/complete.check.ts'
import * as platformGiftConflict from './platform-gift/conflict.check.ts'
import * as platformGiftEdition from './platform-gift/edition.check.ts'
import * as platformGiftOrder from './platform-gift/order.check.ts'
import * as platformGiftPolling from './platform-gift/polling.check.ts'
import * as platformGiftQuote from './platform-gift/quote.check.ts'
import * as platformGiftReplay from './platform-gift/replay.check.ts'
import * as platformGiftSnapshot from './platform-gift/snapshot.check.ts'
import * as platformGiftToken from './platform-gift/token.check.ts'
import * as readingMasking from './reading/masking.check.ts'
import * as readingListingUnhide from './reading/listing-unhide.check.ts'
import * as readingOwnListing from './reading/own-listing.check.ts'
import * as readingPage from './reading/page.check.ts'
import * as readingPartial from './reading/partial.check.ts'
import * as readingReveal from './reading/reveal.check.ts'
import * as readingSelection from './reading/selection.check.ts'
import * as readingSeveral from './reading/several.check.ts'
import * as readingVisibility from './reading/visibility.check.ts'
import * as readingVisibilityOfKinds from './reading/visibility-of-kinds.check.ts'
import * as statesAsynchronous from './states/asynchronous.check.ts'
import * as statesEveryEnd from './states/every-end.check.ts'
import * as statesEveryFirstAnswer from './states/every-first-answer.check.ts'
import * as statesEveryOrder from './states/every-order.check.ts'
import * as statesFinal from './states/final.check.ts'
import * as statesReadable from './states/readable.check.ts'
import * as transactionLimitAccounting from './transaction-limit/accounting.check.ts'
import * as transactionLimitAsynchronous from './transaction-limit/asynchronous.check.ts'
import * as transactionLimitBoundary from './transaction-limit/boundary.check.ts'
import * as transactionLimitConcurrent from './transaction-limit/concurrent.check.ts'
import * as transactionLimitEveryRefusal from './transaction-limit/every-refusal.check.ts'
import * as transactionLimitLasting from './transaction-limit/lasting.check.ts'
import * as transactionLimitConcurrentKinds from './transaction-limit/concurrent-kinds.check.ts'
import * as transactionLimitExact from './transaction-limit/exact.check.ts'
import * as transactionLimitExactSum from './transaction-limit/exact-sum.check.ts'
import * as transactionLimitNothingBought from './transaction-limit/nothing-bought.check.ts'
import * as transactionLimitOneCent from './transaction-limit/one-cent.check.ts'
import * as transactionLimitRefusal from './transaction-limit/refusal.check.ts'
import * as transactionLimitTopUp from './transaction-limit/top-up.check.ts'
import * as unhideAdmissionHeld from './unhide/admission-held.check.ts'
import * as unhideAdmissionRefill from './unhide/admission-refill.check.ts'
import * as unhideAdmission from './unhide/admission.check.ts'
import * as unhideCheckoutAndOrders from './unhide/checkout-and-orders.check.ts'
import * as unhideCheckouts from './unhide/checkouts.check.ts'
import * as unhideOtherKinds from './unhide/other-kinds.check.ts'
import * as unhidePolling from './unhide/polling.check.ts'
import * as unhidePromise from './unhide/promise.check.ts'
import * as unhideRefill from './unhide/refill.check.ts'
import * as unhideSharing from './unhide/sharing.check.ts'
import * as unhideStates from './unhide/states.check.ts'
import * as unhideWindow from './unhide/window.check.ts'
import * as validationBody from './validation/body.check.ts'
import * as validationBrokenJson from './validation/broken-json.check.ts'
import * as validationKinds from './validation/kinds.check.ts'
import * as validationStrange from './validation/strange.check.ts'
import * as validationUnits from './validation/units.check.ts'

const CHECK_MODULES: readonly Readonly<Record<string, CheckDefinition>>[] = [
  allowlistEntries,
  allowlistEveryCall,
  allowlistRefusal,
  allowlistWhoami,
  answersGoodRequests,
  authEveryForm,
  authKeys,
  envelopeOtherMethod,
  authKeyElsewhere,
  authOrderOfChecks,
  authScopeFirst,
  authScopes,
  authSingleScopes,
  authWindowLast,
  cartAnswer,
  cartCap,
  cartConcurrent,
  cartCopies,
  cartCreate,
  cartInvalidPosition,
  cartLostAnswer,
  cartQuantities,
  cartReference,
  cartReveal,
  cartVisibility,
  catalogEsim,
  catalogFlags,
  catalogListing,
  catalogPaging,
  catalogSearch,
  catalogTypes,
  contentTypeForms,
  contentTypeMediaType,
  contentTypePutAndPatch,
  dtuCheckAnswer,
  dtuCheckBucket,
  dtuCheckOneBucket,
  dtuCheckOthersPass,
  dtuCheckTimeout,
  dtuCheckValidation,
  dtuCheckWindow,
  esimActivation,
  esimCap,
  esimIssued,
  esimOrder,
  esimPending,
  esimReplay,
  fundsClosed,
  fundsReplay,
  fundsRefused,
  fundsScopes,
  fundsTimeout,
  fundsWindows,
  idempotencyAsynchronous,
  idempotencyCharge,
  idempotencyLater,
  idempotencyChargeOfKinds,
  idempotencyChargeOfSiblings,
  idempotencyLongReferences,
  idempotencyLostAnswer,
  idempotencyNamespace,
  idempotencyOtherKind,
  idempotencyReplay,
  idempotencySimultaneous,
  idempotencyTopUp,
  idempotencyTopUpCheck,
  limitsApart,
  limitsPartitions,
  limitsEveryEndpoint,
  limitsReport,
  limitsUnhideReport,
  limitsWindows,
  lookupElements,
  lookupPairs,
  lookupScopes,
  lookupSingleItem,
  ordersCreate,
  ordersDirectTopUp,
  ordersLongOrder,
  ordersLongOrderDelivery,
  ordersLongOrderElsewhere,
  ordersNoPieces,
  ordersQuantity,
  ordersUpstreamLimit,
  ordersVouchers,
  platformGiftCap,
  platformGiftComplete,
  platformGiftConflict,
  platformGiftEdition,
  platformGiftOrder,
  platformGiftPolling,
  platformGiftQuote,
  platformGiftReplay,
  platformGiftSnapshot,
  platformGiftToken,
  readingListingUnhide,
  readingOwnListing,
  readingPartial,
  readingReveal,
  readingSelection,
  readingSeveral,
  readingVisibility,
  readingVisibilityOfKinds,
  statesAsynchronous,
  statesFinal,
  statesReadable,
  unhideAdmission,
  unhideAdmissionHeld,
  unhideAdmissionRefill,
  unhideCheckoutAndOrders,
  unhideCheckouts,
  unhideOtherKinds,
  unhidePolling,
  unhidePromise,
  unhideRefill,
  unhideSharing,
  unhideStates,
  unhideWindow,
  validationBody,
  validationBrokenJson,
  validationKinds,
  validationStrange,
  validationUnits,
  transactionLimitRefusal,
  transactionLimitAccounting,
  transactionLimitExact,
  transactionLimitExactSum,
  transactionLimitNothingBought,
  transactionLimitOneCent,
  contentionRefused,
  contentionDecided,
  transactionLimitConcurrentKinds,
  transactionLimitConcurrent,
  transactionLimitAsynchronous,
  transactionLimitBoundary,
  transactionLimitTopUp,
]

const INVARIANT_MODULES: readonly Readonly<Record<string, InvariantDefinition>>[] = [
  catalogEveryItem,
  envelopeEveryResponse,
  limitsEveryRefusal,
  transactionLimitEveryRefusal,
  transactionLimitLasting,
  ordersEveryPurchase,
  readingMasking,
  readingPage,
  statesEveryOrder,
  statesEveryEnd,
  statesEveryFirstAnswer,
  idempotencyEveryReplay,
  cartEveryCheckout,
]

/** Every check, in the order of their start: those that drain a cap that outlives the run come last. A check file that is not named here is dead, which knip reports. */
export const ALL_CHECKS: readonly CheckDefinition[] = CHECK_MODULES.flatMap((each) =>
  Object.values(each),
)

/** Checks that judge the whole history of a run, after all others. */
export const ALL_INVARIANTS: readonly InvariantDefinition[] = INVARIANT_MODULES.flatMap((each) =>
  Object.values(each),
)
