import type { Capability, ProductAbility } from '../../contract/capabilities.ts'
import type { CheckContext, RequirementId } from '../engine/kit.ts'
import { check, show, showAnswer, untested } from '../engine/kit.ts'
import { replay } from '../steps/idempotency.ts'
import { buy, orderIdOf } from '../steps/orders.ts'
import { isFinished, look, pollEach, type Reading } from '../steps/states.ts'

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
  const isLater = capabilities.includes('async')
  return check({
    id: `states.${name}-is-final`,
    title: `a ${product} order that was ${status} stays ${status}`,
    requirements: isLater ? [requirement, 'GET-07', 'IDEM-15'] : [requirement, 'GET-07'],
    needs: {
      capabilities: ['shop', ...capabilities],
      roles: ['full'],
      products: [product],
      orderKinds: ['shop'],
      purchases: 2,
      waits: [
        { orders: 1, product },
        { seconds: (READINGS * PAUSE_MS) / 1000, reason: 'later readings' },
      ],
    },
    run: async (context) => {
      const { orderId, referenceId, exchange } = await buy(context, { product })
      const readings = (await pollEach(context, product, orderId, [{ orderId }])).flat()
      const end = readings.at(-1)
      const later: Reading[] = []
      for (let count = 0; isFinished(end) && count < READINGS; count++) {
        await context.wait('a later reading', PAUSE_MS)
        later.push(await look(context, count % 2 === 0 ? { orderId } : { referenceId }, orderId))
      }
      readings.push(...later)
      if (isLater) await expectReplayed(context, { orderId, referenceId, end, product })
      const missed = readings.find(({ item }) => item === undefined)
      context.expect('GET-07').that('every reading until after the end finds the order', {
        holds: missed === undefined,
        expected: `the order in each of ${readings.length} readings`,
        observed: missed ? showAnswer(missed.exchange) : 'the order in each',
        exchanges: [exchange, ...(missed ? [missed.exchange] : [])],
      })
      const ended = end?.item?.['status']
      if (!end || ended !== status)
        untested(`the product ${product} ended in ${show(ended)}, not in ${status}`)
      // One that is not found has no status.
      const found = [end, ...later].filter(({ item }) => item !== undefined)
      if (found.length === 1) untested('no later reading found the order, which GET-07 decides')
      const statuses = found.map(({ item }) => item?.['status'])
      context.expect(requirement).that(`${found.length - 1} more readings show the same status`, {
        holds: statuses.every((each) => each === status),
        expected: `${status} in each reading`,
        observed: show(statuses),
        exchanges: found.map((reading) => reading.exchange),
      })
    },
  })
}

type Ended = {
  readonly orderId: string
  readonly referenceId: string
  readonly end: Reading | undefined
  readonly product: ProductAbility
}

/** Sent again after its end it is the same order, however it ended. What else the replay shows is judged over the whole run. */
async function expectReplayed(context: CheckContext, ended: Ended): Promise<void> {
  const { orderId, referenceId, end, product } = ended
  if (!end || !isFinished(end)) {
    context.leaveUndecided(
      'IDEM-15',
      'the order did not finish, so no replay after its end was tried',
    )
    return
  }
  const again = await replay(context, { referenceId }, { product })
  context.expect('IDEM-15').that('a replay after the end names the same order', {
    holds: orderIdOf(again) === orderId,
    expected: orderId,
    exchanges: [end.exchange, again],
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
