import { runAll } from '../../conformance/engine/run-all.ts'
import type { Session } from '../../conformance/engine/session.ts'
import { ALL_CHECKS, ALL_INVARIANTS } from '../../conformance/registry.ts'
import type { CheckDefinition } from '../../conformance/engine/check.ts'
import type { Role } from '../../contract/capabilities.ts'
import type { AccountSource } from '../../harness/accounts/accounts.ts'
import { controlAccounts } from '../../harness/accounts/control-accounts.ts'
import { staticAccounts } from '../../harness/accounts/static-accounts.ts'
import { VirtualClock } from '../../harness/clock.ts'
import type { CheckOutcome } from '../../harness/judge/check-outcome.ts'
import { preflight } from '../../harness/gate/preflight.ts'
import type { Planned } from '../../harness/quota/plan-watch.ts'
import type { Target } from '../../harness/target-file/target.ts'
import { embedInProcess, type EmbeddedOptions } from '../../harness/test-server/embedded.ts'
import { sessionOn } from './session.ts'
import type { FaultName } from '../../reference/faults/faults.ts'

/** Whose accounts the checks use: each its own, or those of a target file, with these roles. */
export type Accounts = 'fresh' | { readonly shared: readonly Role[] | 'all' }

export type SuiteRun = {
  readonly outcomes: readonly CheckOutcome[]
  readonly session: Session
  /** Virtual time from the start of the first check to the end of the last. */
  readonly seconds: number
}

/** A cap with room for what every check buys on it. */
const LASTING_CAP = '900.00'

/** The suite against the reference service in this process, in virtual time, with the accounts of a real run. */
export async function suiteRun({
  accounts: whose,
  windowSeconds,
  service,
  timing,
  faults = [],
  lastingCap = LASTING_CAP,
  checks = ALL_CHECKS,
  isGentle = false,
  onHazard = () => {},
  planned,
}: {
  readonly accounts: Accounts
  readonly windowSeconds: number
  readonly service?: EmbeddedOptions['service']
  readonly timing?: Target['timing']
  readonly faults?: readonly FaultName[]
  /** The cap of keys that all checks share. */
  readonly lastingCap?: string
  readonly checks?: readonly CheckDefinition[]
  readonly isGentle?: boolean
  readonly onHazard?: (text: string) => void
  readonly planned?: Planned
}): Promise<SuiteRun> {
  const clock = new VirtualClock()
  const embedded = embedInProcess({
    faults,
    windowSeconds,
    clock,
    ...(service ? { service } : {}),
  })
  const { transport, maker } = embedded
  const fresh = controlAccounts(maker, 'USD')
  const credentials = await credentialsFor(whose, fresh, lastingCap)
  const accounts = credentials ? staticAccounts(credentials) : fresh
  // A target whose accounts all checks share has no control side.
  const { control: _, ...uncontrolled } = embedded.target
  const target = {
    ...(credentials ? { ...uncontrolled, credentials } : embedded.target),
    ...(timing ? { timing } : {}),
  }
  const { limits } = await preflight({ target, accounts, transport, clock })
  const session = sessionOn({
    target,
    limits,
    accounts,
    transport,
    clock,
    isGentle,
    onHazard,
    planned,
  })
  const startedMs = clock.nowMs()
  const outcomes = await runAll(checks, ALL_INVARIANTS, session)
  return { outcomes, session, seconds: (clock.nowMs() - startedMs) / 1000 }
}

/** Undefined: each check has accounts of its own. */
async function credentialsFor(
  whose: Accounts,
  fresh: AccountSource,
  transactionLimit: string,
): Promise<Target['credentials'] | undefined> {
  if (whose === 'fresh') return undefined
  const roles = whose.shared === 'all' ? fresh.roles : whose.shared
  const keys = await fresh.open({ roles, transactionLimit })
  return Object.fromEntries(roles.map((role) => [role, keys.key(role)]))
}
