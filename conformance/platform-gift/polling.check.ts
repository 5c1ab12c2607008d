import { check, inconclusive, show, untested } from '../engine/kit.ts'
import { isFinished, pollEach, type Reading } from '../steps/states.ts'
import { buyGift, BUYS_GIFTS } from '../steps/platform-gift.ts'

export const giftPolling = check({
  id: 'platform-gift.polling',
  title: 'a gift order is polled by orderId or by referenceId, and both show the same state',
  requirements: ['EVT-02'],
  needs: { ...BUYS_GIFTS, purchases: 1, waits: [{ orders: 1, product: 'platform-gift' }] },
  run: async (context) => {
    const { exchange, orderId, referenceId } = await buyGift(context)
    const rounds = await pollEach(context, 'platform-gift', orderId, [{ orderId }, { referenceId }])
    const readings = rounds.flat()
    const statuses = readings.map(statusOf)
    const missing = readings.filter(({ item }) => item === undefined)
    if (missing.length === readings.length)
      untested('the gift order is found by neither, which GIFT-17 decides')
    if (missing.length === 0 && !readings.some(isFinished))
      inconclusive(`the gift order did not finish: ${show(statuses)}`)
    for (const series of [0, 1]) {
      const own = rounds.flatMap((round) => round.slice(series, series + 1))
      if (own.some(isFinished) && !neverTurnsBack(own.map(statusOf)))
        untested(`the finished order turned back, which STATE-03 decides: ${show(statuses)}`)
    }
    context.expect('EVT-02').that('readings in turn by orderId and by referenceId agree', {
      holds: missing.length === 0 && neverTurnsBack(statuses),
      expected: 'every reading finds the order, and once one shows it finished, all later ones do',
      observed: show(statuses),
      exchanges: [exchange, ...(rounds.at(-1) ?? []).map((reading) => reading.exchange)],
    })
  },
})

function statusOf({ item }: Reading): unknown {
  return item?.['status'] ?? 'not found'
}

/** Pending for a while, then one terminal status: between two readings the order may have gone on, never back. */
function neverTurnsBack(statuses: readonly unknown[]): boolean {
  const first = statuses.findIndex((status) => status !== 'IN_PROGRESS')
  return first !== -1 && statuses.slice(first).every((status) => status === statuses[first])
}
