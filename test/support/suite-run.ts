import { runAll } from '../../conformance/engine/run-all.ts'
import type { Session } from '../../conformance/engine/session.ts'
import { ALL_CHECKS, ALL_INVARIANTS } from '../../conformance/registry.ts'
import type { CheckDefinition } from '../../conformance/engine/check.ts'
import type { Role } from '../../contract/capabilities.ts'
import { Api } from '../../harness/client/api.ts'
import { Client } from '../../harness/client/client.ts'
import type { Exchange, Transport } from '../../harness/client/exchange.ts'
import { History } from '../../harness/client/history.ts'
import { keyringOf, type AccountSource } from '../../harness/accounts/accounts.ts'
import {
  controlAccounts,
  specOf,
  type AccountMaker,
} from '../../harness/accounts/control-accounts.ts'
import { staticAccounts } from '../../harness/accounts/static-accounts.ts'
import type { Clock } from '../../harness/clock.ts'
import { VirtualClock } from './virtual-clock.ts'
import type { CheckOutcome } from '../../harness/judge/check-outcome.ts'
import { preflight, type Preflight } from '../../harness/gate/preflight.ts'
import { PurchaseGuard } from '../../harness/purchases/purchase-guard.ts'
import { NO_QUOTA } from '../../harness/quota/turn-first.ts'
import type { Planned } from '../../harness/quota/plan-watch.ts'
import type { Credential, Target } from '../../harness/target-file/target.ts'
import { type EmbeddedOptions } from '../../harness/test-server/embedded.ts'
import { embedInProcess } from './in-process.ts'
import type { LoadResult } from '../../schemas/generated/run-record.ts'
import { besideBackground, type VirtualLoad } from './virtual-background.ts'
import { sessionOn } from './session.ts'
import { Unredacted } from './unredacted.ts'
import type { FaultName } from '../../reference/faults/faults.ts'

/** Whose accounts the checks use: each its own, or those of a target file, with these roles. */
export type Accounts =
  | 'fresh'
  | { readonly shared: readonly Role[] | 'all' }
  | { readonly file: FileKeys }

/** Keys as a target file names them: one of each role, a cap, and further keys. */
export type FileKeys = {
  readonly roles: readonly Role[]
  readonly cap: string
  readonly more: readonly {
    readonly role: Role
    /** Default: that of the role full. */
    readonly account?: string
    readonly allowlist?: readonly string[]
    readonly transactionLimit?: string
    /** The file states neither its allowlist nor its cap. */
    readonly isUnstated?: true
  }[]
}

export type SuiteRun = {
  readonly outcomes: readonly CheckOutcome[]
  readonly session: Session
  readonly reachesIpv6: Preflight['reachesIpv6']
  /** Virtual time from the start of the first check to the end of the last. */
  readonly seconds: number
  /** What the background showed by itself. */
  readonly background?: LoadResult
  /** What others got: statuses. */
  readonly toOthers?: readonly number[]
}

/** What others who have the keys of the target file send, at these times of the run. Default: a read of the services. */
export type Others = {
  readonly atSeconds: readonly number[]
  readonly send?: (api: Api) => Promise<Exchange>
}

/** Roles that are of no account of another. */
const APART: readonly Role[] = ['stranger', 'background']

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
  isPersistent = false,
  onHazard = () => {},
  planned,
  underLoad,
  others = { atSeconds: [] },
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
  /** What stays inconclusive is tried again, as in a real run. */
  readonly isPersistent?: boolean
  readonly onHazard?: (text: string) => void
  readonly planned?: Planned
  /** What other accounts do meanwhile. */
  readonly underLoad?: VirtualLoad
  /** What others do meanwhile on the account that the checks share. */
  readonly others?: Others
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
  const keys = await keysFor(whose, { maker, fresh, lastingCap })
  const accounts = keys ? staticAccounts(keys) : fresh
  // A target whose accounts all checks share has no control side.
  const { control: _, ...uncontrolled } = embedded.target
  const target = {
    ...(keys ? { ...uncontrolled, ...keys } : embedded.target),
    ...(timing ? { timing } : {}),
  }
  const { limits, reachesIpv6 } = await preflight({ target, accounts, transport, clock })
  const session = sessionOn({
    target,
    limits,
    accounts,
    transport,
    clock,
    isGentle,
    isPersistent,
    onHazard,
    planned,
    redactor: new Unredacted(),
  })
  const startedMs = clock.nowMs()
  const ended = new AbortController()
  const { send = readServices } = others
  const sendOfOthers = (): Promise<Exchange> => send(apiOfOthers(target, transport, clock))
  const meanwhile = others.atSeconds.map(async (seconds) => {
    await clock.sleep(seconds * 1000, ended.signal).catch(() => {})
    return ended.signal.aborted ? [] : [(await sendOfOthers()).response?.status ?? 0]
  })
  const carryOut = (): Promise<CheckOutcome[]> => runAll(checks, ALL_INVARIANTS, session)
  if (!underLoad) {
    const outcomes = await carryOut()
    ended.abort()
    const toOthers = (await Promise.all(meanwhile)).flat()
    return {
      outcomes,
      session,
      reachesIpv6,
      seconds: (clock.nowMs() - startedMs) / 1000,
      toOthers,
    }
  }
  const context = { target, limits, accounts }
  const beside = await besideBackground(underLoad, context, { transport, clock }, carryOut)
  const seconds = (clock.nowMs() - startedMs) / 1000
  return { outcomes: beside.result, session, reachesIpv6, seconds, background: beside.load }
}

function readServices(api: Api): Promise<Exchange> {
  return api.as('full').listServices({ limit: 1 }, { throttled: 'return' })
}

/** Whoever else has the keys: nothing paces them, and the run does not hear of them. */
function apiOfOthers(target: Target, transport: Transport, clock: Clock): Api {
  const client = new Client({ transport, clock, history: new History(), pacer: NO_QUOTA })
  const keyring = keyringOf(target.credentials)
  return new Api(
    { client, target, clock, guard: new PurchaseGuard({}), keyring, check: 'others' },
    'full',
  )
}

type Keys = Pick<Target, 'credentials' | 'moreKeys'>

/** Undefined: each check has accounts of its own. */
async function keysFor(
  whose: Accounts,
  {
    maker,
    fresh,
    lastingCap: transactionLimit,
  }: {
    readonly maker: AccountMaker
    readonly fresh: AccountSource
    readonly lastingCap: string
  },
): Promise<Keys | undefined> {
  if (whose === 'fresh') return undefined
  if ('file' in whose) return keysOfFile(maker, whose.file)
  const roles = whose.shared === 'all' ? fresh.roles : whose.shared
  const keys = await fresh.open({ roles, transactionLimit })
  return { credentials: Object.fromEntries(roles.map((role) => [role, keys.key(role)])) }
}

/** An account for each that is named; those who have to be apart are of their own. */
async function keysOfFile(maker: AccountMaker, file: FileKeys): Promise<Keys> {
  const { roles, cap, more } = file
  const byAccount = Map.groupBy(
    [
      ...roles.map((role) => ({ role, ...(role === 'capped' && { transactionLimit: cap }) })),
      ...more,
    ] as FileKeys['more'],
    ({ role, account }) => account ?? (APART.includes(role) ? role : 'main'),
  )
  const all: Credential[] = []
  for (const [name, keys] of byAccount) {
    const specs = keys.map((key) => [key, specOf(key.role, key)] as const)
    const { account, keys: made } = await maker.createAccount({
      keys: Object.fromEntries(specs.map(([, spec], index) => [`key-${index}`, spec])),
    })
    for (const [index, [{ role, isUnstated }, spec]] of specs.entries()) {
      const { allowlist, transactionLimit } = isUnstated ? {} : spec
      all.push({
        role,
        account,
        secret: made[`key-${index}`]?.key ?? '',
        env: `KEY_${role}_${name}_${index}`.toUpperCase(),
        ...(allowlist && { allowlist }),
        ...(transactionLimit !== undefined && {
          transactionLimit: { currency: 'USD', limit: transactionLimit, used: '0' },
        }),
      })
    }
  }
  const first = roles.flatMap((role) => all.find((each) => each.role === role) ?? [])
  return {
    credentials: Object.fromEntries(first.map((key) => [key.role, key])),
    moreKeys: all.filter((key) => !first.includes(key)),
  }
}
