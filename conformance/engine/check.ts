import type { Pieces } from './pieces.ts'
import { type Credential, type OrderKind, type Target } from '../../harness/target-file/target.ts'
import type { Capability, ProductAbility, Role } from '../../contract/capabilities.ts'
import type { Bucket } from '../../contract/limits.ts'
import type { OperationName } from '../../contract/operations.ts'
import type { HygieneId } from '../../contract/requirements/hygiene.ts'
import type { OpenQuestionId, RequirementId } from '../../contract/requirements/index.ts'
import type { AccountSpec, Keyring } from '../../harness/accounts/accounts.ts'
import type { Api } from '../../harness/client/api.ts'
import type { Exchange } from '../../harness/client/exchange.ts'
import type { Clock } from '../../harness/clock.ts'
import type { Lack, Offer } from '../../harness/plan/check-plan.ts'
import type { Wait } from '../../harness/plan/waits.ts'
import type { EffectiveLimit } from '../../harness/quota/effective-limits.ts'
import type { QuotaKey } from '../../harness/quota/quota-key.ts'
import type { WindowTrace } from '../../schemas/generated/run-record.ts'
import type { Expectation } from './expectation.ts'

/** A counter that a check spends and holds alone, or that has requests set aside for the check (harness/quota/counter.ts). */
export type WindowNeed = {
  readonly bucket: Bucket
  readonly role: Role
  /** Which endpoint's counter, for the bucket `default`. */
  readonly operation: OperationName
  /**
   * So many requests in each window must not wait for those of other checks, nor find the window spent by them. `all`: it has to find a
   * window that nobody has used. Default: it holds the counter alone, spent or not.
   */
  readonly units?: number | 'all'
}

/**
 * In what order checks come that spend much of a lasting cap, so that a small one decides most: `partly` spends a good part; `again`
 * shows for other kinds what was decided before; `nearly` leaves a few units, for the one check that uses the cap up `wholly`.
 */
export type CapDrain = 'partly' | 'again' | 'nearly' | 'wholly'

/** What a check cannot do without. What the target lacks makes it untested, with that reason. */
export type Needs = {
  readonly capabilities?: readonly Capability[]
  /** Of checks of gifts: the state of the upstream gift service that they are about. Default: it gives quotes. */
  readonly giftQuotes?: 'given' | 'upstream-missing'
  readonly roles?: readonly Role[]
  /** Roles that it takes along where the target has them. */
  readonly rolesIfKnown?: readonly Role[]
  readonly products?: readonly ProductAbility[]
  /** The target sells at least one of these products. The check takes the first that it sells. */
  readonly anyProduct?: readonly [ProductAbility, ...ProductAbility[]]
  /** Kinds of orders whose body template the target file must give. */
  readonly orderKinds?: readonly OrderKind[]
  /** Operations whose path must be known. */
  readonly operations?: readonly OperationName[]
  /** Selectors that the target file must give, as `operation.selector`. */
  readonly selectors?: readonly `${OperationName}.${string}`[]
  /** Most orders that it creates. */
  readonly purchases?: number
  /** All at once, or none: the check starts when it has them. */
  readonly windows?: readonly WindowNeed[]
  /** It spends windows to their limit besides those that it holds: left out where a run has to be gentle. */
  readonly exhausts?: true
  /** What it waits for, one after the other, where the first try decides: the plan's chain. A check that waits and does not say so fails its test. */
  readonly waits?: readonly Wait[]
  /** How often its waits may come, at most, where a try decides too little. Default: once. */
  readonly tries?: number
  /** Headroom wanted of the role `capped`, as a decimal number of units of the product voucher. */
  readonly transactionLimit?: string
  /** Units of other products that fit besides, at the prices that the target file states. */
  readonly capCovers?: Readonly<Partial<Record<ProductAbility, number>>>
  /** It leaves little or nothing of the cap: where the key outlives the check, it has to wait for those that need more than it leaves. */
  readonly drainsCap?: CapDrain
  /** What it lacks where the target makes no accounts, so that it has only the keys of the target file. */
  readonly ofKeysOfFile?: (offer: Offer) => Lack | undefined
  /** It reads what every purchase of the account moves: where accounts are shared, it comes after all others, one at a time. */
  readonly isAlone?: true
}

/** Which counter may be spent, if not that of the request alone, and how much of its budget: all of it, if nothing is said. */
export type SpentOf = { readonly counter?: QuotaKey; readonly share?: number }

/** What a check works with. */
export type CheckContext = {
  readonly target: Target
  readonly clock: Clock
  readonly keys: Keyring
  readonly api: Api
  readonly signal: AbortSignal
  /** True when the keys belong to accounts that were made for this check. */
  readonly isFresh: boolean
  /** Makes one more account with keys and limits of the check's own choice, and gives a caller for each key. Undefined where the target makes none. */
  readonly makeAccount: ((spec: AccountSpec) => Promise<readonly Api[]>) | undefined
  /** A caller for each key that the target file names for a role; none where keys are made. */
  readonly eachKey: (role: Role) => readonly { readonly key: Credential; readonly api: Api }[]
  /** Slack of timing judgements, milliseconds. */
  readonly slackMs: number
  /**
   * Effective limit of a bucket, or of one endpoint that the bucket `default` covers: from GET /rate-limits, else the target file,
   * else the interface's default, which is assumed alone (isSizeKnown).
   */
  readonly limit: (bucket: Bucket, operation?: OperationName) => EffectiveLimit
  /** Waits until the window of an endpoint has room, and keeps it for the next request of this check: it is sent at once. */
  readonly roomFor: (operation: OperationName, role: Role) => Promise<Disposable>
  /** Whether this run alone may have spent the window that counts such a request, or another one: other checks send to most endpoints too. */
  readonly mayHaveSpent: (exchange: Exchange, of?: SpentOf) => boolean
  /** Whether the account, which was made for this check, asked nothing of that counter before. */
  readonly isFirstAsked: (exchange: Exchange) => boolean
  /** All that this run sent to the endpoint of a request for its account. */
  readonly sentAlike: (exchange: Exchange) => readonly Exchange[]
  /** How long the check waited for answers since then, milliseconds. */
  readonly answeringMs: (sinceMs: number) => number
  /** Whether this run may have spent a counter that counts requests with this key and these parameters apart from all others. */
  readonly mayHaveSpentApart: (exchange: Exchange) => boolean
  /** What is known of the size of orders. */
  readonly pieces: Pieces
  /** Sends a control that several checks need: once where they share accounts. */
  readonly once: (what: string, send: () => Promise<Exchange>) => Promise<Exchange>
  /** Holds observations against one requirement. */
  readonly expect: (requirement: RequirementId) => Expectation
  /** Keeps a value, shown by its label, out of everything that the run writes. To be called before it is sent. */
  readonly conceal: (value: string, label: string) => void
  /** Leaves one of several requirements undecided, with the reason; the others are judged all the same. */
  readonly leaveUndecided: (
    requirement: RequirementId,
    reason: string,
    /** Inapplicable where a right target leaves nothing to decide. Default: untested. */
    verdict?: 'untested' | 'inapplicable',
  ) => void
  /** Records a fact that the interface does not show, or warns of one of security hygiene. */
  readonly observe: (
    question: OpenQuestionId | HygieneId,
    answer: string,
    exchanges: readonly Exchange[],
  ) => void
  /** Tells the invariants which codes a permitted reveal showed in clear. They are secrets of the run from then on. */
  readonly revealed: (codes: readonly string[]) => void
  /** A fresh reference, unique in the account. */
  readonly reference: () => string
  /** Tells what the run waits for, while it waits. */
  readonly wait: (reason: string, ms: number) => Promise<void>
  /** Keeps a window's requests for the report's plot. */
  readonly trace: (trace: WindowTrace) => void
}

export type CheckDefinition = {
  /** `area.behaviour`, stable. */
  readonly id: string
  /** Ids of checks that were merged into it: whoever names one gets this check. */
  readonly formerIds?: readonly string[]
  /** Reads as a claim. */
  readonly title: string
  readonly requirements: readonly RequirementId[]
  readonly needs: Needs
  /** What others can cause who use the same keys: on accounts that were not made for the run it has to recur. */
  readonly movedByOthers?: MovedByOthers
  readonly run: (context: CheckContext) => Promise<void>
}

export type MovedByOthers = {
  readonly requirements: readonly RequirementId[]
  /** Looks for so long whether others move the counter, and tells how. It spends as little as it can. */
  readonly watch?: (context: CheckContext, ms: number) => Promise<string | undefined>
}

/** Judges the whole history after every other check: it sends nothing. */
export type InvariantDefinition = Omit<CheckDefinition, 'needs' | 'run'> & {
  readonly judge: (context: InvariantContext) => void
}

export type InvariantContext = Pick<
  CheckContext,
  'expect' | 'observe' | 'limit' | 'target' | 'slackMs'
> & {
  readonly history: readonly Exchange[]
  /** Voucher codes that checks learned by a permitted reveal. */
  readonly codes: readonly string[]
}

/** The one wrapper through which every check is written. */
export function check(definition: CheckDefinition): CheckDefinition {
  assertWellFormed(definition)
  return definition
}

/** The one wrapper of checks over the whole history. */
export function invariant(definition: InvariantDefinition): InvariantDefinition {
  assertWellFormed(definition)
  return definition
}

/** The maker of accounts, for a check whose needs name it (`onlyWithControlSide`). */
export function makerOf({
  makeAccount,
}: Pick<CheckContext, 'makeAccount'>): NonNullable<CheckContext['makeAccount']> {
  if (!makeAccount) throw new Error('no accounts can be made; do the needs of the check say so?')
  return makeAccount
}

export function areaOf(id: string): string {
  return id.slice(0, id.indexOf('.'))
}

function assertWellFormed({
  id,
  requirements,
}: {
  id: string
  requirements: readonly string[]
}): void {
  if (!/^[a-z][a-z0-9-]*\.[a-z0-9][a-z0-9-]*$/.test(id))
    throw new Error(`check id "${id}" is not of the form area.behaviour`)
  if (requirements.length === 0)
    throw new Error(`check ${id} names no requirement: it could decide nothing`)
}
