import type { AccountMaker } from '../../harness/accounts/control-accounts.ts'
import type { Transport } from '../../harness/client/exchange.ts'
import type { Clock } from '../../harness/clock.ts'
import type { Target } from '../../harness/target-file/target.ts'
import { serviceOf, targetOf, type EmbeddedOptions } from '../../harness/test-server/embedded.ts'
import { pairsOf } from '../../reference/base/headers.ts'
import type { Service } from '../../reference/service.ts'

/** The reference service without sockets, on a clock of the caller's: the same checks then run in virtual time. */
export function embedInProcess(options: EmbeddedOptions & { readonly clock: Clock }): {
  readonly target: Target
  readonly transport: Transport
  readonly maker: AccountMaker
} {
  const service = serviceOf(options, options.clock)
  return {
    target: targetOf('http://in-process.invalid', 'http://control.in-process.invalid', options),
    transport: inProcessTransport(service, options.clock),
    maker: { createAccount: (spec) => Promise.resolve(service.control.createAccount(spec)) },
  }
}

/** One way through the virtual network: without it everything would happen at one moment, and no order of events could be told. */
const ONE_WAY_MS = 0.5

function inProcessTransport(service: Service, clock: Clock): Transport {
  return {
    close: () => Promise.resolve(),
    async send(request, hooks, signal) {
      hooks?.onSent?.()
      await clock.sleep(ONE_WAY_MS)
      hooks?.onBodySent?.()
      const { pathname, search } = new URL(request.url)
      const answer = await service.handle({
        method: request.method,
        url: pathname + search,
        headers: request.headers.flat(),
        body: request.body ?? '',
        remoteAddress: request.localAddress ?? '127.0.0.1',
        isGone: () => signal?.aborted === true,
      })
      await clock.sleep(ONE_WAY_MS)
      return { ...answer, headers: pairsOf(answer.headers), truncated: false }
    },
  }
}
