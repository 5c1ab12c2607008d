import type { CheckDefinition, InvariantDefinition } from '../../conformance/engine/check.ts'
import { runAll } from '../../conformance/engine/run-all.ts'
import type { Session } from '../../conformance/engine/session.ts'
import { ALL_CHECKS, ALL_INVARIANTS } from '../../conformance/registry.ts'
import { controlAccounts } from '../../harness/accounts/control-accounts.ts'
import { staticAccounts } from '../../harness/accounts/static-accounts.ts'
import type { Transport } from '../../harness/client/exchange.ts'
import { type Clock } from '../../harness/clock.ts'
import { VirtualClock } from './virtual-clock.ts'
import { HarnessError } from '../../harness/errors.ts'
import { preflight } from '../../harness/gate/preflight.ts'
import type { CheckOutcome } from '../../harness/judge/check-outcome.ts'
import { effectiveLimits } from '../../harness/quota/effective-limits.ts'
import type { Target } from '../../harness/target-file/target.ts'
import { type EmbeddedOptions } from '../../harness/test-server/embedded.ts'
import type { LoadResult } from '../../schemas/generated/run-record.ts'
import { embedInProcess } from './in-process.ts'
import { sessionOn } from './session.ts'
import { Unredacted } from './unredacted.ts'
import { besideBackground, type VirtualLoad } from './virtual-background.ts'

export type VirtualRun = {
  readonly outcomes: readonly CheckOutcome[]
  readonly session: Session
  readonly virtualSeconds: number
  /** What the background showed by itself. */
  readonly background?: LoadResult
}

/** The whole suite (or part of it) against the reference service in this process, in virtual time. */
export async function virtualRun(
  options: {
    readonly faults?: readonly string[]
    readonly windowSeconds?: number
    readonly service?: EmbeddedOptions['service']
    readonly checks?: readonly CheckDefinition[]
    readonly invariants?: readonly InvariantDefinition[]
    /** Virtual time between the start of the service, which is a window edge, and the first request. */
    readonly startsAfterMs?: number
    /** How the service is described, in place of its own target file; its keys are then used, if it has no control side. */
    readonly target?: Target
    /** Its evidence is to be as a record holds it: without secrets. */
    readonly isWritten?: true
    /** What stays inconclusive is tried again, as in a real run. */
    readonly isPersistent?: true
    /** What stands between the harness and the service. */
    readonly network?: (transport: Transport, clock: Clock) => Transport
    /** What other accounts do meanwhile. */
    readonly underLoad?: VirtualLoad
    /** Ends what is under way, as an interruption or a lost target does. */
    readonly signal?: AbortSignal
  } = {},
): Promise<VirtualRun> {
  const clock = new VirtualClock()
  const { faults = [], windowSeconds = 2 } = options
  const embedded = embedInProcess({
    faults,
    windowSeconds,
    clock,
    ...(options.service ? { service: options.service } : {}),
  })
  const target = options.target ?? embedded.target
  const transport = options.network
    ? options.network(embedded.transport, clock)
    : embedded.transport
  await clock.sleep(options.startsAfterMs ?? 0)
  const currency = target.products.voucher?.currency ?? 'USD'
  const accounts = target.control
    ? controlAccounts(embedded.maker, currency)
    : staticAccounts(target)
  // A fault may be such that a real run would be turned away here; the checks are to be seen all the same.
  const { limits } = await preflight({ target, accounts, transport, clock }).catch(
    (cause: unknown) => {
      if (cause instanceof HarnessError && cause.exitCode === 3)
        return { limits: effectiveLimits(target) }
      throw cause
    },
  )
  const session = sessionOn({
    target,
    limits,
    accounts,
    transport,
    clock,
    ...(options.signal && { signal: options.signal }),
    ...(options.isPersistent && { isPersistent: true }),
    ...(!options.isWritten && { redactor: new Unredacted() }),
  })
  const carryOut = (): Promise<CheckOutcome[]> =>
    runAll(options.checks ?? ALL_CHECKS, options.invariants ?? ALL_INVARIANTS, session)
  const { underLoad } = options
  if (!underLoad) {
    const outcomes = await carryOut()
    return { outcomes, session, virtualSeconds: clock.nowMs() / 1000 }
  }
  const context = { target, limits, accounts }
  const beside = await besideBackground(underLoad, context, { transport, clock }, carryOut)
  return {
    outcomes: beside.result,
    session,
    virtualSeconds: clock.nowMs() / 1000,
    background: beside.load,
  }
}
