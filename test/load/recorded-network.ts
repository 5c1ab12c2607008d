/** What a virtual load sends, recorded as checks record it. */
import type { Exchange } from '../../harness/client/exchange.ts'
import { exchangeWith } from '../support/exchanges.ts'
import type { VirtualAnswer, VirtualNetwork, VirtualRequest } from './virtual-network.ts'

/** The network, with a client at its wire that keeps what it sees as checks do. */
export function recorded(network: VirtualNetwork, exchanges: Exchange[]): VirtualNetwork {
  return {
    ...network,
    async send(request) {
      const answer = await network.send(request)
      exchanges.push(exchangeOf(request, answer, exchanges.length))
      return answer
    },
  }
}

function exchangeOf(
  { method, url, headers, body }: VirtualRequest,
  answer: VirtualAnswer,
  count: number,
): Exchange {
  const { status, sentMs, receivedMs } = answer
  return exchangeWith({
    id: `x${count}`,
    operation: 'raw',
    request: { method, url, headers: Object.entries(headers), ...(body !== undefined && { body }) },
    sentAtMs: sentMs,
    receivedAtMs: receivedMs,
    sentAtWallMs: sentMs,
    response: { status, headers: Object.entries(answer.headers), body: answer.body },
    json: parse(answer.body),
  })
}

/** Undefined for what is no JSON, as checks have it. */
function parse(body: string): unknown {
  try {
    return JSON.parse(body) as unknown
  } catch {
    // No JSON: the exchange says so by having none.
    return undefined
  }
}
