/** The session of a real run: on real sockets and the real clock, and given up when the target stops answering. */
import { HEADER } from '../contract/wire.ts'
import { accountsOf } from '../harness/accounts/select-accounts.ts'
import { openTransport } from '../harness/client/open-transport.ts'
import { keyWatchingTransport } from '../harness/client/refused-key.ts'
import type { Transport, WireRequest } from '../harness/client/exchange.ts'
import { watchfulTransport } from '../harness/client/watchful-transport.ts'
import { RealClock } from '../harness/clock.ts'
import { Session, type SessionOptions } from './engine/session.ts'
import { startOrder } from './engine/start-order.ts'
import { Undecided } from './engine/undecided.ts'
import type { SuiteTask } from './host.ts'
import { ALL_CHECKS, ALL_INVARIANTS } from './registry.ts'

const KEY_HEADER = HEADER.apiKey.toLowerCase()

export type LiveSession = AsyncDisposable & {
  readonly session: Session
  readonly checks: typeof ALL_CHECKS
  readonly invariants: typeof ALL_INVARIANTS
}

/** `stop` ends what is under way: it is aborted by whoever interrupts the run, and here where the target is lost. */
export function liveSession(
  plan: Omit<SuiteTask, 'channel'>,
  stop: AbortController,
  listeners: Pick<SessionOptions, 'onProgress' | 'onSecret' | 'onHazard' | 'onStopped'> & {
    readonly onLost: () => void
  },
): LiveSession {
  const isSelected = ({ id }: { id: string }): boolean => plan.selected.includes(id)
  const { baseUrl, operations } = plan.target
  // Without a key, so that no window is spent.
  const question: WireRequest = {
    method: 'GET',
    url: `${baseUrl}${operations.whoami.path ?? '/'}`,
    headers: [],
  }
  const end = (reason: string): void => stop.abort(new Undecided('inconclusive', reason))
  const opened = openTransport(plan.target, { runId: plan.runId })
  const transport = watchfulTransport(
    watchingKey(opened, plan.target, question, () => end('the target refuses the key now')),
    {
      onLost: () => {
        listeners.onLost()
        end('the target stopped answering')
      },
      question,
    },
  )
  const session = new Session({
    target: plan.target,
    limits: plan.limits,
    accounts: accountsOf(plan.target),
    transport,
    clock: new RealClock(),
    permission: plan.permission,
    isGentle: plan.isGentle,
    isPersistent: true,
    requestsMax: plan.requestsMax,
    planned: plan.planned,
    prices: plan.prices,
    signal: stop.signal,
    isNarrowed: !ALL_CHECKS.every(isSelected),
    ...listeners,
  })
  return {
    session,
    checks: startOrder(ALL_CHECKS.filter(isSelected), session.options.accounts),
    invariants: ALL_INVARIANTS.filter(isSelected),
    [Symbol.asyncDispose]: () => transport.close(),
  }
}

/** Watches the key of role full, where the target file gives it: nearly all requests of the checks carry it then. */
function watchingKey(
  transport: Transport,
  { credentials, control, answers }: SuiteTask['target'],
  question: WireRequest,
  onRefused: () => void,
): Transport {
  const key = credentials.full?.secret
  if (key === undefined || control !== undefined) return transport
  return keyWatchingTransport(transport, {
    header: KEY_HEADER,
    key,
    refusals: [401, 403, answers.unknownKeyHttpStatus ?? 401],
    question: { ...question, headers: [[KEY_HEADER, key]] },
    onRefused,
  })
}
