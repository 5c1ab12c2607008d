import type { CheckContext, Exchange, OrderRequest } from '../engine/kit.ts'
import { isAccepted, showAnswer } from '../engine/kit.ts'
import { isRefusedForBody } from './order-refusal.ts'

/** An order may come later once by chance, but not each time, and never without the flag. */
export const TRIES = 2

/** `later`: not decided, since only what is sold at once otherwise shows that it became a long order. */
export async function expectNotLong(
  { api, reference, expect }: CheckContext,
  requirement: 'LONG-02' | 'LONG-03',
  what: string,
  order: Omit<OrderRequest, 'referenceId'>,
): Promise<'decided' | 'later' | 'refused'> {
  const exchanges: Exchange[] = []
  for (let tried = 1; tried <= TRIES; tried++) {
    const plain = await api.as('full').createOrder({ ...order, referenceId: reference() })
    if (plain.response?.status !== 200) return isAccepted(plain) ? 'later' : 'refused'
    const long = await api.as('full').createOrder({
      ...order,
      referenceId: reference(),
      overrides: { isLongOrder: true },
    })
    exchanges.push(plain, long)
    if (!isAccepted(long) && !isRefusedForBody(long)) return 'refused'
    if (long.response?.status !== 202) break
  }
  const last = exchanges.at(-1) as Exchange
  expect(requirement).that(`isLongOrder for ${what}`, {
    holds: last.response?.status !== 202,
    expected: 'a refusal for the body, or HTTP 200 as without isLongOrder',
    observed: showAnswer(last),
    exchanges,
  })
  return 'decided'
}
