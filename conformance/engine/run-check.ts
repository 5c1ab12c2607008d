import { keyringOf, type Keyring } from '../../harness/accounts/accounts.ts'
import { Api, StillThrottled } from '../../harness/client/api.ts'
import type { Exchange } from '../../harness/client/exchange.ts'
import type { CheckOutcome } from '../../harness/judge/check-outcome.ts'
import { judgeCheck, type Ending } from '../../harness/judge/verdicts.ts'
import type { Holding } from '../../harness/quota/ledger.ts'
import { keyOfEndpoint } from '../../harness/quota/quota-key.ts'
import { Withheld } from '../../harness/quota/courtesy.ts'
import { PurchaseRefused } from '../../harness/purchases/purchase.ts'
import { PERMISSION_TO_BUY_MORE } from '../../harness/target-file/wants.ts'
import { evidenceOf } from '../../harness/record/evidence.ts'
import type { Verdict, Want } from '../../schemas/generated/run-record.ts'
import {
  areaOf,
  type CheckContext,
  type CheckDefinition,
  type InvariantContext,
  type InvariantDefinition,
} from './check.ts'
import { isAccepted } from './answer.ts'
import { runBesideOthers } from './beside-others.ts'
import { capOf } from './cap.ts'
import { FindingRecorder } from './finding-recorder.ts'
import { isLossRare, isOfLoss } from './lost-answers.ts'
import { lackOf } from './needs.ts'
import type { Session } from './session.ts'
import { Undecided } from './undecided.ts'
import { unknownWindowOf } from './own-window.ts'
import { needShortWait } from './waiting.ts'

/** Carries one check out. Never throws: whatever happens becomes a verdict. */
export async function runCheck(
  definition: CheckDefinition,
  session: Session,
): Promise<CheckOutcome> {
  const { onProgress } = session.options
  const { id: check, title: text } = definition
  onProgress?.({ check, state: 'started', text })
  const first = await tried(definition, session)
  session.ended(definition)
  const isBusy = first.check.verdict === 'inconclusive' || first.isMaybeBusy === true
  const isOpen = isBusy || isOfLoss(first, session.history.all())
  const outcome = isOpen ? await triedAgain(definition, session, first) : first
  onProgress?.({ check, state: 'ended', text })
  return outcome
}

async function tried(definition: CheckDefinition, session: Session): Promise<CheckOutcome> {
  const { clock } = session.options
  const recorder = new FindingRecorder(definition)
  const startedMs = clock.nowMs()
  const lack = lackOf(definition, session.offer)
  const stopped = lack ?? (await carryOut(definition, session, recorder))
  const durationSeconds = (clock.nowMs() - startedMs) / 1000
  return outcomeOf({ definition, session, recorder, stopped, durationSeconds })
}

/** What left a check open the first time may leave it open again. */
const OPEN: readonly Verdict[] = ['inconclusive', 'untested', 'inapplicable']

async function triedAgain(
  definition: CheckDefinition,
  session: Session,
  first: CheckOutcome,
): Promise<CheckOutcome> {
  const { id: check, durationSeconds } = first.check
  const text = 'waits for the others to end, to be tried again'
  session.options.onProgress?.({ check, state: 'waiting', text })
  // How rare losses are shows when the others have ended.
  const stays = (): boolean =>
    isOfLoss(first, session.history.all()) && !isLossRare(session.history.all())
  const act = async (): Promise<CheckOutcome> => (stays() ? first : tried(definition, session))
  const again = await session.tryAgain(definition, durationSeconds, act)
  if (!again) return first
  const { verdict } = again.check
  // What no quiet shows either, the service has not.
  const isAbsent = verdict === 'inapplicable' && again.isMaybeBusy === true
  return isAbsent || !OPEN.includes(verdict) ? again : first
}

/** Judges the whole history with one invariant. */
export function runInvariant(definition: InvariantDefinition, session: Session): CheckOutcome {
  const recorder = new FindingRecorder(definition)
  const context: InvariantContext = {
    target: session.targetFor(definition.id),
    slackMs: session.slackMs,
    history: session.history.all(),
    codes: [...session.codes],
    limit: (bucket, operation) => session.limit(bucket, operation),
    expect: (requirement) => recorder.expect(requirement),
    observe: (question, answer, exchanges) => recorder.observe(question, answer, exchanges),
  }
  let ending: Stopped | undefined
  try {
    definition.judge(context)
  } catch (cause) {
    ending = endingOf(cause, session)
  }
  const stopped = narrowed(ending, session)
  return outcomeOf({ definition, session, recorder, stopped, durationSeconds: 0 })
}

/** Where only part of the suite was selected, an invariant that saw nothing of its kind was not asked for. */
function narrowed(ending: Ending | undefined, { options }: Session): Ending | undefined {
  return ending?.verdict === 'untested' && options.isNarrowed
    ? { verdict: 'inapplicable', reason: `${ending.reason}, among the checks that were selected` }
    : ending
}

async function carryOut(
  definition: CheckDefinition,
  session: Session,
  recorder: FindingRecorder,
): Promise<Stopped | undefined> {
  const { signal, accounts } = session.options
  try {
    signal.throwIfAborted()
    await session.turnOf(definition)
    const { rolesIfKnown = [] } = definition.needs
    const roles = [
      ...(definition.needs.roles ?? []),
      ...rolesIfKnown.filter((role) => accounts.roles.includes(role)),
    ]
    const transactionLimit = capOf(definition.needs, session.targetFor(definition.id))
    const keys = await accounts.open({
      roles,
      ...(transactionLimit === undefined ? {} : { transactionLimit }),
    })
    for (const role of roles) session.redactor.addSecret(keys.key(role).secret, `key of ${role}`)
    needShortWindows(definition, session)
    using _held = await session.ledger.hold(definition.id, heldBy(definition, keys), signal)
    const contextFor = (own: FindingRecorder): CheckContext =>
      contextOf(definition, session, own, keys)
    const isEnding = (cause: unknown): boolean => endingOf(cause, session).verdict !== 'error'
    const refilled = (): Promise<void> => session.ledger.refilled(definition.id, signal)
    const isFresh = accounts.fresh
    await runBesideOthers(definition, recorder, { contextFor, isEnding, isFresh, refilled })
    return undefined
  } catch (cause) {
    return endingOf(cause, session)
  }
}

/** Before requests are set aside on an account that may have been used, a window has to pass. */
function needShortWindows({ needs: { windows = [] } }: CheckDefinition, session: Session): void {
  if (session.options.accounts.fresh) return
  for (const { bucket, operation, units } of windows)
    if (units !== undefined)
      needShortWait(
        'windows that others may have spent to roll over',
        session.limit(bucket, operation).windowSeconds * 1000,
      )
}

function heldBy({ needs }: CheckDefinition, keys: Keyring): Holding[] {
  return (needs.windows ?? []).map(({ bucket, role, operation, units }) => {
    const account = `account ${keys.key(role).account}`
    const key =
      bucket === 'default' ? keyOfEndpoint(account, operation) : { bucket, partition: account }
    return { key, units: units === 'all' ? Infinity : units }
  })
}

function contextOf(
  definition: CheckDefinition,
  session: Session,
  recorder: FindingRecorder,
  keys: Keyring,
): CheckContext {
  const { target, clock, signal, onProgress, accounts } = session.options
  const { announced, client, guard } = session
  const shared = { announced, client, target, clock, guard, signal }
  const apiOf = (keyring: Keyring): Api =>
    new Api({ ...shared, keyring, check: definition.id }, 'none')
  return {
    target: session.targetFor(definition.id),
    clock,
    keys,
    api: apiOf(keys),
    signal,
    isFresh: accounts.fresh,
    makeAccount:
      accounts.make &&
      (async (spec) => {
        const made = (await accounts.make?.(spec)) ?? []
        for (const { secret } of made) session.redactor.addSecret(secret, 'key of full')
        return made.map((full) => apiOf(keyringOf({ full })).as('full'))
      }),
    eachKey: (role) =>
      (accounts.each?.(role) ?? []).map((key) => ({
        key,
        api: apiOf(keyringOf({ [role]: key })).as(role),
      })),
    slackMs: session.slackMs,
    limit: (bucket, operation) => session.limit(bucket, operation),
    roomFor: (operation, role) => {
      const key = keyOfEndpoint(`account ${keys.key(role).account}`, operation)
      return session.ledger.hold(definition.id, [{ key, units: 1 }], signal)
    },
    mayHaveSpent: (exchange, of) => session.mayHaveSpent(exchange, of),
    pieces: session.pieces,
    isFirstAsked: (exchange) => session.isFirstAsked(exchange),
    sentAlike: (exchange) => session.sentAlike(exchange),
    answeringMs: (sinceMs) => session.answeringMs(definition.id, sinceMs),
    mayHaveSpentApart: (exchange) => session.mayHaveSpentApart(exchange),
    once: (what, send) => session.once(`${keys.key('full').account} ${what}`, send),
    expect: (requirement) => recorder.expect(requirement),
    conceal: (value, label) => session.redactor.addSecret(value, label),
    leaveUndecided: (...open) => recorder.leaveUndecided(...open),
    observe: (question, answer, exchanges) => recorder.observe(question, answer, exchanges),
    revealed: (codes) => session.learnCodes(codes),
    reference: () => session.reference(),
    trace: (trace) => recorder.windows.push(trace),
    wait: async (reason, ms) => {
      if (ms <= 0) return
      needShortWait(reason, ms)
      const text = `waits ${(ms / 1000).toFixed(1)} s for ${reason}`
      onProgress?.({ check: definition.id, state: 'waiting', text })
      await clock.sleep(ms, signal)
    },
  }
}

type Stopped = Ending & {
  readonly exchanges?: readonly Exchange[]
  readonly wants?: readonly Want[]
  readonly isMaybeBusy?: boolean
}

function endingOf(cause: unknown, session: Session): Stopped {
  if (cause instanceof Undecided)
    return {
      verdict: cause.verdict,
      reason: cause.message,
      exchanges: cause.exchanges,
      wants: cause.wants,
      isMaybeBusy: cause.isMaybeBusy,
    }
  if (cause instanceof StillThrottled) {
    const unknown = unknownWindowOf(session, cause.exchange)
    return unknown === undefined
      ? { verdict: 'inconclusive', reason: cause.message }
      : { verdict: 'untested', reason: `${cause.message}, by ${unknown}` }
  }
  if (cause instanceof PurchaseRefused)
    return {
      verdict: 'untested',
      reason: cause.message,
      wants: cause.isForBound ? [PERMISSION_TO_BUY_MORE] : [],
    }
  if (cause instanceof Withheld) return { verdict: 'untested', reason: cause.message }
  const { signal } = session.options
  if (signal.aborted) {
    const { message, verdict = 'untested' } = signal.reason as Error & Partial<Undecided>
    return { verdict, reason: message }
  }
  return { verdict: 'error', reason: reasonOf(cause, session) }
}

function reasonOf(cause: unknown, { redactor }: Session): string {
  const reason = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)
  return redactor.text(reason).slice(0, 2_000)
}

/** A check that was carried out, or an invariant that was judged. */
type Ended = {
  readonly definition: CheckDefinition | InvariantDefinition
  readonly session: Session
  readonly recorder: FindingRecorder
  readonly stopped: Stopped | undefined
  readonly durationSeconds: number
}

function outcomeOf(ended: Ended): CheckOutcome {
  try {
    return wholeOutcome(ended)
  } catch (cause) {
    return bareOutcome(ended, cause)
  }
}

/** What was looked at cannot be written down, whatever it is: its findings stay; without any it is an error. */
function bareOutcome(
  { definition, session, recorder: { findings }, durationSeconds }: Ended,
  cause: unknown,
): CheckOutcome {
  const { id, title, requirements } = definition
  const ending = { verdict: 'error', reason: reasonOf(cause, session) } as const
  const unwritten = { expected: '', observed: 'it could not be written down', exchanges: [] }
  return {
    check: {
      id,
      title,
      area: areaOf(id),
      requirements: [...requirements],
      ...judgeCheck(requirements, findings, ending),
      ...unwritten,
      findings: findings.map(({ requirement, verdict }) => ({
        requirement,
        verdict,
        statement: title,
        ...unwritten,
      })),
      durationSeconds,
      repeat: repeatOf(definition),
    },
    exchanges: [],
    observations: [],
    windows: [],
  }
}

function wholeOutcome(ended: Ended): CheckOutcome {
  const { definition, session, recorder, stopped, durationSeconds } = ended
  const { id, title, requirements } = definition
  const { findings, about } = recorder
  const { exchanges: stoppedBy = [], wants = [], isMaybeBusy = false, ...ending } = stopped ?? {}
  recorder.keep(stoppedBy)
  const judged = judgeCheck(requirements, findings, stopped && (ending as Ending))
  const telling = findings.find((each) => each.verdict === judged.verdict) ?? findings[0]
  const { redactor } = session
  const repeat = repeatOf(definition)
  redactor.keep([id, title, repeat])
  return {
    check: redactor.data({
      id,
      title,
      area: areaOf(id),
      requirements: [...requirements],
      ...judged,
      ...(judged.verdict === 'untested' && wants.length > 0 && { wants: [...wants] }),
      expected: telling?.expected ?? '',
      observed: telling?.observed ?? '',
      findings,
      exchanges: [...recorder.evidence.keys()],
      durationSeconds,
      repeat,
    }),
    exchanges: [...recorder.evidence.values()].map((exchange) => evidenceOf(exchange, redactor)),
    observations: redactor.data(recorder.observations),
    windows: recorder.windows,
    about,
    isMaybeBusy,
    stoppedBy: (judged.verdict === 'untested' && stoppedBy.length === 0
      ? withoutSuccess(session, id)
      : stoppedBy
    ).map((exchange) => exchange.id),
  }
}

/** An invariant judges what the others sent, so it is repeated with them. */
function repeatOf(definition: CheckDefinition | InvariantDefinition): string {
  const selection = 'needs' in definition ? `--only ${definition.id}` : '--profile all'
  return `npm run conformance -- ${selection}`
}

/** What can have kept a check from going on that does not say so: whatever it sent without a success that can be read. */
function withoutSuccess({ history }: Session, check: string): readonly Exchange[] {
  return history
    .all()
    .filter((each) => each.check === check && !(isAccepted(each) && each.json !== undefined))
}
