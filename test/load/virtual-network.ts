/** The reference service in this process and in virtual time, for clients that speak as k6 does. */
import { statedLimits } from '../support/stated-limits.ts'
import { controlAccounts } from '../../harness/accounts/control-accounts.ts'
import type { AccountSource } from '../../harness/accounts/accounts.ts'
import type { Transport } from '../../harness/client/exchange.ts'
import { VirtualClock } from '../support/virtual-clock.ts'
import { preflight } from '../../harness/gate/preflight.ts'
import { effectiveLimits, type EffectiveLimits } from '../../harness/quota/effective-limits.ts'
import { type EmbeddedOptions } from '../../harness/test-server/embedded.ts'
import { embedInProcess } from '../support/in-process.ts'
import type { Target } from '../../harness/target-file/target.ts'

export type VirtualNetworkOptions = {
  readonly faults?: readonly string[]
  readonly service?: EmbeddedOptions['service']
  readonly windowSeconds?: number
}

export type VirtualRequest = {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

/** What k6 would give of an answer. */
export type VirtualAnswer = {
  readonly status: number
  readonly body: string
  /** Where there was no answer. */
  readonly error_code?: number
  readonly headers: Readonly<Record<string, string>>
  readonly retryAfter: string | undefined
  readonly sentMs: number
  readonly receivedMs: number
}

export type VirtualNetwork = {
  readonly clock: VirtualClock
  readonly target: Target
  readonly accounts: AccountSource
  readonly limits: EffectiveLimits
  /** What a client takes from answers to its next release; none, where nothing follows from their order. */
  readonly gapMs?: number
  /** Times are milliseconds since k6 would have started its test. */
  nowMs(): number
  send(request: VirtualRequest): Promise<VirtualAnswer>
}

const WINDOW_SECONDS = 2

const DEFAULT_SECONDS = 60
const GAP_MS = 1

/** At the interface's defaults, as GET /rate-limits reports them, and with accounts that are not made to order. */
export async function networkAtDefaults(
  options: Pick<VirtualNetworkOptions, 'faults' | 'service'>,
  /** What a target file says of it, where that is not all. */
  describe = (target: Target): Target => target,
): Promise<VirtualNetwork> {
  const { transport, ...network } = networkOf({ ...options, windowSeconds: DEFAULT_SECONDS })
  const { clock } = network
  const target = describe(network.target)
  const { fresh, roles } = network.accounts
  const open: AccountSource['open'] = (request) => network.accounts.open(request)
  const accounts: AccountSource = { fresh, roles, open }
  const { limits } = await preflight({ target, accounts, transport, clock })
  return { ...network, target, accounts, limits, gapMs: GAP_MS }
}

export function virtualNetwork(options: VirtualNetworkOptions = {}): VirtualNetwork {
  return networkOf(options)
}

function networkOf(
  options: VirtualNetworkOptions,
): VirtualNetwork & { readonly transport: Transport } {
  const clock = new VirtualClock()
  const { faults = [], windowSeconds = WINDOW_SECONDS, service } = options
  const { target, transport, maker } = embedInProcess({
    faults,
    windowSeconds,
    clock,
    // Off by default, as the interface has it; here all kinds are to be bought.
    service: { platformGift: 'enabled', ...service },
  })
  return {
    clock,
    target,
    transport,
    accounts: controlAccounts(maker, 'USD'),
    limits: effectiveLimits({ ...target, limits: statedLimits(windowSeconds) }),
    nowMs: () => clock.nowMs(),
    send: senderOver(transport, clock),
  }
}

/** A client that speaks as k6 does. */
export function senderOver(transport: Transport, clock: VirtualClock): VirtualNetwork['send'] {
  return async ({ method, url, headers, body }) => {
    const sentMs = clock.nowMs()
    const answer = await transport.send({
      method,
      url,
      headers: Object.entries(headers),
      ...(body === undefined ? {} : { body }),
    })
    const found = Object.fromEntries(
      answer.headers.map(([name, value]) => [name.toLowerCase(), value]),
    )
    const retryAfter = found['retry-after']
    return {
      status: answer.status,
      body: answer.body,
      headers: retryAfter === undefined ? {} : { 'Retry-After': retryAfter },
      retryAfter,
      sentMs,
      receivedMs: clock.nowMs(),
    }
  }
}
