import { check, inapplicable, isObject, show } from '../engine/kit.ts'
import { isMasked } from '../../harness/judge/codes.ts'
import { RETRY_AFTER_SECONDS } from '../../contract/wire.ts'
import { headerValues } from '../../harness/client/headers.ts'
import { buyEsim, BUYS_ESIMS, needIssued, payloadOf } from '../steps/esim.ts'
import { itemsOf } from '../steps/orders.ts'
import { everySeen, purchasesSeen, type SeenPurchase } from '../steps/orders-seen.ts'
import { readTwicePending, showShare } from '../steps/pending-reads.ts'
import { reveal, type Revealed } from '../steps/reading.ts'

export const everyPending = everySeen<SeenPurchase>({
  id: 'esim.every-pending',
  title: 'every 202 of an eSIM without a payload, a replay too, has Retry-After: 15',
  requirement: 'ESIM-07',
  statement: 'the 202 of a pending eSIM has Retry-After: 15',
  subjects: ({ history }) =>
    purchasesSeen(history).filter(
      ({ kind, exchange, value }) =>
        kind === 'esim' && exchange.response?.status === 202 && value['status'] === 'IN_PROGRESS',
    ),
  nothing: 'no eSIM was pending, and none has to be',
  isOptional: true,
  breach: ({ exchange }) => {
    const [wait, ...others] = headerValues(exchange, 'retry-after')
    const isRight = others.length === 0 && wait?.trim() === String(RETRY_AFTER_SECONDS.esimPending)
    return isRight ? undefined : `Retry-After ${show(wait)}`
  },
})

export const payloadOfPending = check({
  id: 'esim.pending-payload',
  title: 'the payload of an eSIM is not shown while its order is pending',
  requirements: ['STATE-08'],
  needs: {
    ...BUYS_ESIMS,
    capabilities: ['esim', 'unhide'],
    purchases: 1,
    waits: [{ orders: 1, product: 'esim' }],
    // It costs more than a voucher.
    ofKeysOfFile: () => ({
      verdict: 'inapplicable',
      reason: 'vouchers decide this with the keys of a file, so that no eSIM is bought for it',
    }),
  },
  run: async (context) => {
    const bought = await buyEsim(context)
    const reads = await readTwicePending(context, bought.orderId)
    const { pending } = reads
    if (pending.length < 2) inapplicable('the eSIM was issued before two reads with unhide=true')
    await needIssued(context, bought)
    const issued = await reveal(context, bought.orderId)
    const code =
      codeIn(issued) ?? inapplicable('an eSIM that was issued shows no qrCodeText in clear')
    const early = pending.filter((each) => codeIn(each) === code)
    context.expect('STATE-08').that('a pending eSIM does not show its qrCodeText', {
      holds: early.length < pending.length,
      expected: 'IN_PROGRESS, and not yet the qrCodeText that it has once it is issued',
      observed: `so ${showShare(early, reads)}`,
      exchanges: [...pending, issued].map(({ exchange }) => exchange),
    })
  },
})

function codeIn({ exchange }: Revealed): string | undefined {
  const payload = payloadOf(itemsOf(exchange)?.[0]?.['result'])
  const code = isObject(payload) ? payload['qrCodeText'] : undefined
  return typeof code === 'string' && code !== '' && !isMasked(code) ? code : undefined
}
