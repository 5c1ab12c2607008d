import type { CheckContext, Exchange } from '../../engine/kit.ts'
import { pollEsim } from '../esim.ts'
import { dataOf, pollToEnd } from '../orders.ts'
import { OTHER_KINDS, type Kind } from '../kinds.ts'

/** When a pending order counts is not shown, nor what a cancelled one leaves. Undefined where it is not known to have been delivered. */
export async function deliveredOf(
  context: CheckContext,
  { name, product, idOf }: Pick<Kind, 'name' | 'product' | 'idOf'>,
  bought: Exchange,
): Promise<Exchange | undefined> {
  const { status } = dataOf(bought)
  if (status === 'SUCCESS') return bought
  if (name === OTHER_KINDS.checkout.name) return undefined
  const orderId = idOf(bought) ?? ''
  const readings =
    name === OTHER_KINDS.esim.name
      ? await pollEsim(context, { exchange: bought, orderId, referenceId: '' })
      : await pollToEnd(context, product, { orderId })
  const last = readings.at(-1)
  return last?.item['status'] === 'SUCCESS' ? last.exchange : undefined
}
