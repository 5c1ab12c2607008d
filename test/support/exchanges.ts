import type { Exchange } from '../../harness/client/exchange.ts'

type Change = Partial<Omit<Exchange, 'request' | 'response'>> & {
  readonly request?: Partial<Exchange['request']>
  readonly response?: Partial<NonNullable<Exchange['response']>>
}

/** A read of orders with the key of role full that is answered by 200, but for what is said otherwise. With an error it has no answer. */
export function exchangeWith({ request, response, ...change }: Change = {}): Exchange {
  return {
    id: 'x0001',
    check: 'a.check',
    operation: 'getOrders',
    role: 'full',
    account: 'main',
    request: { method: 'GET', url: 'http://shop.example/api/v1/orders', headers: [], ...request },
    sentAtMs: 0,
    receivedAtMs: 1,
    sentAtWallMs: 0,
    ...(change.error === undefined && {
      response: { status: 200, headers: [], body: '', truncated: false, ...response },
    }),
    ...change,
  }
}
