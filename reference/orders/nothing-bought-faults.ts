/** What only faults take, or give back, for requests that buy nothing: from the cap of the key, from the balance of the account, or their reference. */
import type { FaultName } from '../faults/faults.ts'
import { type Answer, Refusal } from '../http/answer.ts'
import { itemOf, serviceById } from '../model/catalog.ts'
import type { Call } from '../model/call.ts'

/** A request that bought nothing. */
type Nothing = {
  readonly because: 'not valid' | 'no media type' | 'throttled' | 'slow check'
  /** Kind of an order, or `createCart`; undefined where no kind is named. */
  readonly kind: unknown
}

const TAKING: readonly (readonly [
  FaultName,
  Nothing['because'],
  from: 'cap' | 'back to the cap' | 'balance' | 'references',
  kind?: string,
])[] = [
  ['cap-charges-invalid-top-ups', 'not valid', 'cap', 'dtu'],
  ['cap-charges-invalid-checkouts', 'not valid', 'cap', 'createCart'],
  ['invalid-top-up-burns-reference', 'not valid', 'references', 'dtu'],
  ['invalid-checkout-burns-reference', 'not valid', 'references', 'createCart'],
  ['invalid-top-ups-debit', 'not valid', 'balance', 'dtu'],
  ['invalid-esims-debit', 'not valid', 'balance', 'esim'],
  ['gift-invalid-debits', 'not valid', 'balance', 'platform-gift'],
  ['gift-throttled-charges', 'throttled', 'cap', 'platform-gift'],
  ['invalid-carts-debit', 'not valid', 'balance', 'createCart'],
  ['invalid-orders-refund', 'not valid', 'back to the cap'],
  ['media-type-refusals-charge', 'no media type', 'cap'],
  ['media-type-refusals-debit', 'no media type', 'balance'],
  ['content-type-refusal-burns-reference', 'no media type', 'references'],
  ['throttled-top-ups-debit', 'throttled', 'balance', 'dtu'],
  ['throttled-esims-charge', 'throttled', 'cap', 'esim'],
  ['throttled-carts-charge', 'throttled', 'cap', 'createCart'],
  ['throttled-top-up-burns-reference', 'throttled', 'references', 'dtu'],
  ['throttled-esim-burns-reference', 'throttled', 'references', 'esim'],
  ['throttled-checkout-burns-reference', 'throttled', 'references', 'createCart'],
  ['slow-checks-charge', 'slow check', 'cap'],
]

const AMOUNT_MINOR = 100

const BECAUSE: Readonly<Record<number, Nothing['because']>> = {
  415: 'no media type',
  422: 'not valid',
  429: 'throttled',
}

function isSlow({ serviceId, itemId }: Readonly<Record<string, unknown>>): boolean {
  const service = serviceById(String(serviceId))
  return service ? itemOf(service, String(itemId))?.delivery.providerTimeouts === 1 : false
}

function nothingOf(
  { operation, body }: Call,
  { httpStatus, errorCode }: Answer,
): Nothing | undefined {
  // Contention is no matter of windows.
  if (errorCode === 'contention') return undefined
  const asked = body.json ?? {}
  const kind = operation === 'createOrder' ? asked['ordersType'] : operation
  const isCheck = asked['checkOnly'] === true
  const isPurchase = ['createOrder', 'createCart'].includes(operation) && !isCheck
  const because = BECAUSE[httpStatus]
  if (isPurchase) return because && { because, kind }
  if (httpStatus !== 200) return undefined
  return isCheck && isSlow(asked) ? { because: 'slow check', kind } : undefined
}

/** Takes what the faults that are on take, and gives the answer as it is. */
export async function takingForNothing(call: Call, answer: () => Promise<Answer>): Promise<Answer> {
  try {
    const given = await answer()
    take(call, given)
    return given
  } catch (error) {
    if (error instanceof Refusal) take(call, error.answer)
    throw error
  }
}

function take(call: Call, answer: Answer): void {
  const { key, context } = call
  const nothing = nothingOf(call, answer)
  if (nothing === undefined) return
  for (const [name, because, from, kind] of TAKING) {
    if (because !== nothing.because || !context.faults.has(name)) continue
    if (kind !== undefined && kind !== nothing.kind) continue
    if (from === 'cap') key.usedMinor += AMOUNT_MINOR
    else if (from === 'back to the cap') key.usedMinor = Math.max(0, key.usedMinor - AMOUNT_MINOR)
    else if (from === 'balance') key.account.balanceMinor -= AMOUNT_MINOR
    else burn(call)
  }
}

/** Keeps the reference of a purchase that was never made. */
function burn({ key, body, context: { orders } }: Call): void {
  const referenceId = body.json?.['referenceId']
  if (typeof referenceId !== 'string') return
  const isBought = (['order', 'checkout'] as const).some(
    (kind) => orders.purchase(key, referenceId, kind) !== undefined,
  )
  if (!isBought) orders.burn(key, referenceId)
}
