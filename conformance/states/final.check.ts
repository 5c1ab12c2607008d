import type { Capability, ProductAbility } from '../../contract/capabilities.ts'
import type { RequirementId } from '../../contract/requirements/index.ts'
import { check } from '../check.ts'
import { show } from '../engine/describe.ts'
import { untested } from '../engine/undecided.ts'
import { buy, pollToEnd, readOne } from '../orders/steps.ts'

/** Readings after the first that showed the order finished, and the pause before each. */
const READINGS = 4
const PAUSE_MS = 500

type Finality = {
  readonly name: string
  readonly product: ProductAbility
  readonly status: 'SUCCESS' | 'CANCELLED' | 'PARTIALLY_COMPLETED'
  readonly requirement: RequirementId
  readonly capabilities: readonly Capability[]
}

/** An order that was read as finished reads the same ever after, by either filter. */
function isFinal({
  name,
  product,
  status,
  requirement,
  capabilities,
}: Finality): ReturnType<typeof check> {
  return check({
    id: `states.${name}-is-final`,
    title: `a ${product} order that was ${status} stays ${status}`,
    requirements: [requirement],
    needs: {
      capabilities: ['shop', ...capabilities],
      roles: ['full'],
      products: [product],
      orderKinds: ['shop'],
      purchases: 1,
      waits: [
        { orders: 1, product },
        { seconds: (READINGS * PAUSE_MS) / 1000, reason: 'later readings' },
      ],
    },
    run: async (context) => {
      const { orderId, referenceId } = await buy(context, { product })
      const end = (await pollToEnd(context, product, { orderId })).at(-1)
      const ended = end?.item['status']
      if (!end || ended !== status)
        untested(`the product ${product} ended in ${show(ended)}, not in ${status}`)
      const readings = [end]
      for (let count = 0; count < READINGS; count++) {
        await context.wait('a later reading', PAUSE_MS)
        readings.push(await readOne(context, count % 2 === 0 ? { orderId } : { referenceId }))
      }
      const statuses = readings.map(({ item }) => item['status'])
      context.expect(requirement).that(`${READINGS} more readings show the same status`, {
        holds: statuses.every((each) => each === status),
        expected: `${status} in each reading`,
        observed: show(statuses),
        exchanges: readings.map(({ exchange }) => exchange),
      })
    },
  })
}

export const successAtOnceIsFinal = isFinal({
  name: 'success-at-once',
  product: 'voucher',
  status: 'SUCCESS',
  requirement: 'STATE-03',
  capabilities: [],
})
export const successLaterIsFinal = isFinal({
  name: 'success-later',
  product: 'voucher-async',
  status: 'SUCCESS',
  requirement: 'STATE-03',
  capabilities: ['async'],
})
export const cancelledIsFinal = isFinal({
  name: 'cancelled',
  product: 'voucher-cancelled',
  status: 'CANCELLED',
  requirement: 'STATE-04',
  capabilities: ['async'],
})
export const partiallyCompletedIsFinal = isFinal({
  name: 'partially-completed',
  product: 'voucher-partial',
  status: 'PARTIALLY_COMPLETED',
  requirement: 'STATE-05',
  capabilities: ['async'],
})
