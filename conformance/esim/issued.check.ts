import { asText, check, show, untested } from '../engine/kit.ts'
import { buyEsim, BUYS_ESIMS, pollEsim } from '../steps/esim.ts'

/** The interface: normally issued within one to two minutes. */
const ISSUED_WITHIN_SECONDS = 120

export const issuedInTime = check({
  id: 'esim.issued-in-time',
  title: 'the payload of an eSIM order is issued within two minutes',
  requirements: ['ESIM-22'],
  needs: { ...BUYS_ESIMS, purchases: 1, waits: [{ orders: 1, product: 'esim' }] },
  run: async (context) => {
    const bought = await buyEsim(context)
    const readings = await pollEsim(context, bought, { seconds: ISSUED_WITHIN_SECONDS })
    const last = readings.at(-1)
    const status = last?.item['status']
    if (!last || !['IN_PROGRESS', 'SUCCESS'].includes(asText(status)))
      untested(`the order ended in ${show(status)}, without a payload`)
    const seconds = (last.exchange.receivedAtMs - bought.exchange.receivedAtMs) / 1000
    context.expect('ESIM-22').that('the eSIM is issued', {
      holds: status === 'SUCCESS',
      expected: `SUCCESS within ${ISSUED_WITHIN_SECONDS} seconds`,
      observed: `${show(status)} after ${seconds.toFixed(1)} seconds, in ${readings.length} readings`,
      exchanges: [bought.exchange, last.exchange],
    })
  },
})
