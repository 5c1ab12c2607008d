import type { CheckContext, Exchange, Needs, OrderRequest } from '../engine/kit.ts'
import { isObject, show, untested } from '../engine/kit.ts'
import type { ProductAbility } from '../../contract/capabilities.ts'
import { RETRY_AFTER_SECONDS, isTerminal } from '../../contract/wire.ts'
import { headerValues, retryAfterSeconds } from '../../harness/client/headers.ts'
import { templateVariables } from '../../harness/target-file/template.ts'
import { buy, patienceSeconds, readOne, type Bought, type OrderItem } from './orders.ts'

/** What every check of eSIM orders needs. */
export const BUYS_ESIMS = {
  capabilities: ['esim'],
  roles: ['full'],
  products: ['esim'],
  orderKinds: ['esim'],
} as const satisfies Needs

const PAUSE_SECONDS_MIN = 0.25

export type Reading = { readonly exchange: Exchange; readonly item: OrderItem }

export function buyEsim(context: CheckContext, product: ProductAbility = 'esim'): Promise<Bought> {
  return buy(context, { product, kind: 'esim' })
}

/** An eSIM order that says how many, or with undefined says nothing of it. */
export function orderSaying(
  { api, target }: CheckContext,
  referenceId: string,
  quantity: number | undefined,
): Promise<Exchange> {
  const isInTemplate = templateVariables(target.operations.createOrder.bodies.esim).includes(
    'quantity',
  )
  const saying: Partial<OrderRequest> = isInTemplate
    ? { variables: { quantity } }
    : { overrides: { quantity } }
  return api.as('full').createOrder({ product: 'esim', kind: 'esim', referenceId, ...saying })
}

/** The wait that a 202 without a payload asks for. */
export function expectWait({ expect }: CheckContext, exchange: Exchange): void {
  const wait = String(RETRY_AFTER_SECONDS.esimPending)
  const headers = headerValues(exchange, 'retry-after')
  expect('ESIM-07').that('Retry-After of an eSIM without a payload', {
    holds: headers.length === 1 && headers[0]?.trim() === wait,
    expected: `one header Retry-After: ${wait}`,
    observed: headers.length === 0 ? 'no Retry-After header' : headers.join(' and '),
    exchanges: [exchange],
  })
}

/**
 * Polls an eSIM order until it has finished; the last reading is taken at the end of the wait. Keeps to the Retry-After that it is
 * given, unless the target file says that the payload is there sooner.
 */
export async function pollEsim(
  context: CheckContext,
  { exchange: bought, orderId }: Bought,
  {
    product = 'esim',
    seconds = patienceSeconds(context, product),
  }: { readonly product?: ProductAbility; readonly seconds?: number } = {},
): Promise<readonly Reading[]> {
  const { clock, target } = context
  const endMs = bought.receivedAtMs + seconds * 1000
  const stated = target.products[product]?.completesWithinSeconds ?? Infinity
  const readings: Reading[] = []
  for (;;) {
    const reading = await readOne(context, { orderId })
    readings.push(reading)
    const leftMs = endMs - clock.nowMs()
    if (isFinished(reading) || leftMs <= 0) return readings
    const asked = retryAfterSeconds(reading.exchange) ?? RETRY_AFTER_SECONDS.esimPending
    const pauseSeconds = Math.max(PAUSE_SECONDS_MIN, Math.min(asked, stated / 4))
    await context.wait('an eSIM to be issued', Math.min(pauseSeconds * 1000, leftMs))
  }
}

/** SUCCESS beside a result without its payload is not the end: which of them is wrong, ENV-10 and ESIM-11 decide. */
function isFinished({ item }: Reading): boolean {
  const lacksPayload = 'result' in item && payloadOf(item['result']) === undefined
  return isTerminal(item['status']) && !(item['status'] === 'SUCCESS' && lacksPayload)
}

/** Polls until the order is SUCCESS; untested where it does not come to that, which STATE-02 and ESIM-22 decide. */
export async function needIssued(
  context: CheckContext,
  bought: Bought,
  product: ProductAbility = 'esim',
): Promise<Reading> {
  const last = (await pollEsim(context, bought, { product })).at(-1)
  if (last?.item['status'] !== 'SUCCESS')
    untested(
      `the eSIM order is ${show(last?.item['status'])} after ${patienceSeconds(context, product)} seconds at most`,
    )
  return last
}

/** Fields of a result that are declared for other kinds of orders. */
const OF_OTHER_KINDS = ['attributes', 'platformGift', 'vouchers']

/**
 * What was delivered: the value at `result.esim` or, where that is not there, `result` itself. Undefined: nothing, or only what orders
 * of other kinds deliver.
 */
export function payloadOf(result: unknown): unknown {
  if (!isObject(result)) return result ?? undefined
  if ('esim' in result) return result['esim'] ?? undefined
  const isOwn = Object.keys(result).some((name) => !OF_OTHER_KINDS.includes(name))
  return isOwn ? result : undefined
}

/** Fields that an activation may have beside its qrCodeText, by the requirement that gives each its type. */
export const OPTIONAL_FIELDS = [
  ['iccid', 'ESIM-13'],
  ['smdpAddress', 'ESIM-14'],
  ['activationCode', 'ESIM-15'],
  ['iosInstallUrl', 'ESIM-16'],
  ['androidInstallUrl', 'ESIM-17'],
] as const

/** Whether a payload has a declared field with a value. A placeholder, or a note in its place, has none. */
export function isActivation(payload: unknown): boolean {
  const fields = ['qrCodeText', ...OPTIONAL_FIELDS.map(([field]) => field)]
  return isObject(payload) && fields.some((field) => Boolean(payload[field]))
}

/** What a value is like, without the values in it: under names that nobody declared, they are goods all the same. */
export function shapeOf(value: unknown): string {
  return isObject(value) ? `an object of ${show(Object.keys(value))}` : show(value)
}
