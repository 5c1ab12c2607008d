import type { ProductAbility } from '../../contract/capabilities.ts'
import { FIELD_ERROR_CODES } from '../../contract/wire.ts'
import { renderOrder } from '../../harness/client/bodies.ts'
import type { OrderKind } from '../../harness/target-file/target.ts'
import type { CheckContext, Exchange } from '../engine/kit.ts'
import { check, isObject, show, showAnswer, untested } from '../engine/kit.ts'
import { BUYS_VOUCHERS } from '../steps/orders.ts'
import { strangeIdLike } from '../steps/reading.ts'

/** Stands in the place of a property: of another type, with nothing in it, with too much in it. */
const STRANGE: readonly unknown[] = [{ unexpected: true }, '', 'x'.repeat(3000), -1]
const QUERIES = [
  { limit: 'ten' },
  { limit: -1 },
  { offset: -1 },
  { limit: 1, offset: 'ten' },
  { type: 'no-such-type' },
] as const
/** Properties of a body that are tried: bodies of unknown targets may have many. */
const PROPERTIES_MAX = 6
const KINDS = { shop: 'voucher', 'dtu-check': 'dtu' } as const satisfies Partial<
  Record<OrderKind, ProductAbility>
>

/** Orders for a product that does not exist, each with one property that is strange too: none of them can be sold. */
async function strangeOrders(
  { api, reference, target }: CheckContext,
  kind: keyof typeof KINDS,
): Promise<Exchange[]> {
  const product = KINDS[kind]
  const own = target.products[product]?.variables
  if (!own || target.operations.createOrder.bodies[kind] === undefined) return []
  const variables = Object.fromEntries(
    Object.entries(own).map(([name, value]) => [name, strangeIdLike(String(value))]),
  )
  const order = { product, kind, variables, amount: 10, referenceId: 'unused' }
  const rendered = renderOrder(target, order, kind)
  const properties = Object.keys(isObject(rendered) ? rendered : {}).slice(0, PROPERTIES_MAX)
  const sent: Exchange[] = []
  for (const property of properties)
    for (const value of STRANGE)
      sent.push(
        await api.as('full').createOrder({
          ...order,
          referenceId: reference(),
          overrides: { [property]: value },
        }),
      )
  return sent
}

async function strangeListings({ api, target }: CheckContext): Promise<Exchange[]> {
  if (!target.capabilities.includes('catalog')) return []
  const sent: Exchange[] = []
  for (const query of QUERIES) sent.push(await api.as('full').listServices(query))
  return sent
}

export const strangeRequests = check({
  id: 'validation.strange-requests',
  title: 'whatever is wrong with a request, a 422 lists it in entries of the seven codes',
  requirements: ['VAL-02', 'FIELD-01'],
  needs: { ...BUYS_VOUCHERS, roles: ['full'], purchases: PROPERTIES_MAX * STRANGE.length },
  run: async (context) => {
    const sent = [
      ...(await strangeOrders(context, 'shop')),
      ...(await strangeOrders(context, 'dtu-check')),
      ...(await strangeListings(context)),
    ]
    const refused = sent.filter(({ response }) => response?.status === 422)
    if (refused.length === 0)
      untested(`none of ${sent.length} strange requests was answered by 422`)
    const silent = refused.filter((exchange) => errorsOf(exchange).length === 0)
    context.expect('VAL-02').that('every 422 has an entry in errors', {
      holds: silent.length === 0,
      expected: `a field error in each of ${refused.length} answers`,
      observed: silent[0]
        ? `${silent.length} without, first: ${showAnswer(silent[0])}`
        : 'each has',
      exchanges: silent.length > 0 ? silent : refused,
    })
    const unknown = refused.filter((exchange) => errorsOf(exchange).some(hasUnknownCode))
    context.expect('FIELD-01').that('every entry in errors has one of the seven codes', {
      holds: unknown.length === 0,
      expected: FIELD_ERROR_CODES.join(', '),
      observed: unknown[0]
        ? `${unknown.length} answers with another, first: ${show(errorsOf(unknown[0]))}`
        : 'each has',
      exchanges: unknown.length > 0 ? unknown : refused,
    })
  },
})

function errorsOf({ json }: Exchange): readonly unknown[] {
  const errors = isObject(json) ? json['errors'] : undefined
  return Array.isArray(errors) ? (errors as readonly unknown[]) : []
}

function hasUnknownCode(error: unknown): boolean {
  const code = isObject(error) ? error['code'] : undefined
  return !(FIELD_ERROR_CODES as readonly unknown[]).includes(code)
}
