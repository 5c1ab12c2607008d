import type { RequirementId } from '../../../contract/requirements/index.ts'
import { USER_AGENTS } from '../../../contract/wire.ts'
import { turnAt, type Turn } from '../../../load/protocol/turns.ts'
import { isExplained, judgeHistory, type PreparedHistory } from '../../judge/limiter.ts'
import { brokenWindow, fitsNearBudget } from '../../judge/rules/windows.ts'
import { rowsWhere } from '../../rows.ts'
import type { Finding } from '../../../schemas/generated/run-record.ts'
import { answerStatements } from './judge-answers.ts'
import { prepareSamples, rowsWith, undecidedReason, named, say } from './judge-groups.ts'
import type { QuotaGroup } from './judge-groups.ts'
import { pickRows } from '../evidence/row-columns.ts'
import { inSentOrder, type Samples } from './samples.ts'
import { findingsFrom, type Statement } from '../shared/statements.ts'
import { reportedDefault, type DefaultBucket } from '../shared/reported-default.ts'

/** Holds every quota against the requirements that its streams can show; one finding for each requirement. */
export function findingsOf(groups: readonly QuotaGroup[]): Finding[] {
  const statements = [
    ...groups.flatMap((group) => [
      ...windowStatements(group, groups),
      ...defaultStatements(group, groups),
      ...answerStatements(group),
    ]),
    ...separationStatements(groups),
  ]
  return findingsFrom(statements)
}

/** Budgets, edges and the sharing of keys. */
function windowStatements(group: QuotaGroup, groups: readonly QuotaGroup[]): Statement[] {
  const reason = undecidedReason(group)
  const about: RequirementId[] = ['RATE-01', 'RATE-02']
  if (group.first.limit.count > 1) about.push('RATE-03')
  if (accountKeys(group) > 1) about.push(named(group, 'RATE-10'))
  if ((group.first.paths?.length ?? 0) > 1) about.push('RATE-16', 'RATE-17')
  if (reason !== undefined)
    return about.map((requirement) => say(requirement, 'inconclusive', group, reason))
  // Where only the default of all endpoints is known, this one may have a window of its own.
  if (!group.verdict.explained) return group.first.limit.isGeneral ? [] : violations(group, groups)
  const { mustAccept, mustRefuse } = group.verdict.counts
  const observed = `${mustAccept} requests had to be accepted and ${mustRefuse} refused, and were`
  return about.map((requirement) => say(requirement, 'pass', group, observed))
}

/** That a window which holds as reported is as large as the interface has it, where no rule is behind it. */
function defaultStatements(group: QuotaGroup, groups: readonly QuotaGroup[]): Statement[] {
  const { bucket, limit, name } = group.first
  if (undecidedReason(group) !== undefined || !group.verdict.explained) return []
  if (bucket.startsWith('orders.unhide')) return []
  const globalDefault = groups.find(({ first }) => first.bucket === 'default')?.first.limit
  return reportedDefault(bucket as DefaultBucket, limit, { name, globalDefault })
}

/** Names the requirement that a broken window breaks, by what would explain it instead. */
function violations(group: QuotaGroup, groups: readonly QuotaGroup[]): Statement[] {
  if (countsPerKey(group)) {
    const observed = 'each of the keys was given a whole budget of its own'
    return [say(named(group, 'RATE-10'), 'fail', group, observed)]
  }
  const apart = countedPerClient(group) ?? countedApart(group)
  if (apart) return [apart]
  const shared = groups.find((other) => sharesCounter(group, other))
  if (shared) return [sharedCounter(group, shared)]
  const clearer = groups.some(
    (other) => !other.verdict.explained && other.first.limit.count > group.first.limit.count,
  )
  return clearer ? [] : [brokenStatement(group)]
}

/** Says which sentence is broken: another budget, or no fixed windows at all. */
function brokenStatement(group: QuotaGroup): Statement {
  const { prepared, verdict, first } = group
  const asked = { limit: first.limit, history: 'partial' } as const
  const isShared = first.isShared ?? false
  const broken = brokenWindow({ prepared, asked, verdict, isDrilled: true, isShared })
  if (broken.doubt !== undefined)
    return say(broken.requirement, 'inconclusive', group, broken.doubt)
  return say(broken.requirement, 'fail', group, `${broken.observed}${where(group, broken.first)}`)
}

function where(group: QuotaGroup, row: number | undefined): string {
  if (row === undefined) return ''
  const { phase, key, sentMs } = group.samples
  const role = group.streams[0]?.keys[key[row] as number]?.role ?? 'unknown'
  return `; the first was sent in phase ${phase.at(row)} with the key of ${role} at ${(sentMs[row] as number).toFixed(1)} ms`
}

/** True if fixed windows for each key alone explain what they do not explain together. */
function countsPerKey(group: QuotaGroup): boolean {
  if (group.streams.length > 1 || accountKeys(group) < 2) return false
  const { key: keys } = group.samples
  return [...new Set(keys)].every((key) => isWholeQuota(group, (row) => keys[row] === key))
}

function isExplainedBy({ first, slackMs }: QuotaGroup, samples: Samples): boolean {
  return isExplained(prepareSamples(samples, slackMs), { limit: first.limit, history: 'partial' })
}

/** Names of the client that take turns, each after all paths with all keys, and were each given a budget of their own. */
function countedPerClient(group: QuotaGroup): Statement | undefined {
  if (group.streams.length > 1) return undefined
  const turnOf = turnsOf(group)
  const isApart = USER_AGENTS.every((_, client) =>
    isWholeQuota(group, (row) => turnOf(row).userAgent === client),
  )
  if (!isApart) return undefined
  const observed = 'each User-Agent was given a budget of its own'
  return say(named(group, 'RATE-10'), 'fail', group, observed)
}

/** What the requests of a quota's only stream were sent with, by their rows. */
function turnsOf(group: QuotaGroup): (row: number) => Turn {
  const taking = { keys: accountKeys(group), urls: group.first.paths?.length ?? 1 }
  return (row) => turnAt(row, taking)
}

/** True if these rows alone look like the whole of a quota. */
function isWholeQuota(group: QuotaGroup, isPart: (row: number) => boolean): boolean {
  const samples = pickRows(group.samples, rowsWhere(group.samples.length, isPart))
  if (rowsWith(samples, 'refused').length === 0) return false
  const part = prepareSamples(samples, group.slackMs)
  const asked = { limit: group.first.limit, history: 'partial' } as const
  if (!isExplained(part, asked)) return false
  // Bursts that came late fit many explanations: a budget that is a few requests off is the plainer one.
  return judgeHistory(part, asked).fullWindows > 0 || !fitsNearBudget(group.prepared, asked)
}

/** Paths that take turns on one quota and were each given a budget of their own: reads of other orders, or with unhide=false. */
function countedApart(group: QuotaGroup): Statement | undefined {
  const { paths } = group.first
  if (!paths || group.streams.length > 1) return undefined
  const parts = [
    ['RATE-16', (path: string) => path, 'reads of each order'],
    ['RATE-17', (path: string) => String(path.includes('unhide=false')), 'reads with unhide=false'],
  ] as const
  const turnOf = turnsOf(group)
  for (const [requirement, partOf, what] of parts) {
    const partAt = (row: number): string => partOf(paths[turnOf(row).url] ?? '')
    const isApart = [...new Set(paths.map(partOf))].every((part) =>
      isWholeQuota(group, (row) => partAt(row) === part),
    )
    if (isApart) return say(requirement, 'fail', group, `${what} were given a budget of their own`)
  }
  return undefined
}

/** True if one counter for both quotas explains what two do not. */
function sharesCounter(a: QuotaGroup, b: QuotaGroup): boolean {
  if (a === b) return false
  const sameLimit = JSON.stringify(a.first.limit) === JSON.stringify(b.first.limit)
  const related = accountOf(a) === accountOf(b) || endpointOf(a) === endpointOf(b)
  // Reads with a filter may be counted as the listing, whose budget is another one.
  const counting = sameLimit ? a : listingOf(a, b)
  if (!counting || !related || !fitsOneCounter(counting, counting === a ? b : a)) return false
  return isExplainedBy(counting, inSentOrder([a.samples, b.samples]))
}

function listingOf(a: QuotaGroup, b: QuotaGroup): QuotaGroup | undefined {
  if (isListing(a) === isListing(b) || endpointOf(a) !== endpointOf(b)) return undefined
  return isListing(a) ? a : b
}

/** False if so much was admitted of both that no windows of one budget hold it: said without a look at the order of requests. */
function fitsOneCounter(a: QuotaGroup, b: QuotaGroup): boolean {
  const { count, windowSeconds } = a.first.limit
  const indexes: readonly PreparedHistory['index'][] = [a.prepared.index, b.prepared.index]
  const fromMs = Math.min(...indexes.map(({ firstSentMs }) => firstSentMs))
  const toMs = Math.max(...indexes.map(({ lastReceivedMs }) => lastReceivedMs))
  const windowsMax = Math.floor((toMs - fromMs + 2 * a.slackMs) / (1000 * windowSeconds)) + 2
  const admitted = indexes.reduce((sum, { certainSent }) => sum + certainSent.length, 0)
  return admitted <= windowsMax * count
}

function sharedCounter(group: QuotaGroup, other: QuotaGroup): Statement {
  const sameAccount = accountOf(group) === accountOf(other)
  const isApart = isListing(group) !== isListing(other) ? 'RATE-15' : 'RATE-11'
  return say(
    sameAccount ? isApart : named(group, 'RATE-09'),
    'fail',
    group,
    `one window for it and ${other.first.name} together explains the answers, two do not`,
  )
}

/** Quotas that were spent at the same time and each kept its own budget are separate. */
function separationStatements(groups: readonly QuotaGroup[]): Statement[] {
  const statements: Statement[] = []
  for (const [index, a] of groups.entries())
    for (const b of groups.slice(index + 1)) {
      const requirement = separationOf(a, b)
      if (requirement === undefined || !a.verdict.explained || !b.verdict.explained) continue
      const reason = undecidedReason(a) ?? undecidedReason(b)
      const observed = reason ?? `spent at the same time as ${b.first.name}, each kept its budget`
      statements.push(say(requirement, reason === undefined ? 'pass' : 'inconclusive', a, observed))
    }
  return statements
}

function separationOf(a: QuotaGroup, b: QuotaGroup): RequirementId | undefined {
  const sameAccount = accountOf(a) === accountOf(b)
  const sameEndpoint = endpointOf(a) === endpointOf(b)
  if (sameAccount && !sameEndpoint) return 'RATE-11'
  if (sameAccount && isListing(a) !== isListing(b)) return 'RATE-15'
  if (!sameAccount && sameEndpoint && a.first.bucket === b.first.bucket) return named(a, 'RATE-09')
  return undefined
}

function isListing({ first }: QuotaGroup): boolean {
  return first.bucket === 'orders.list'
}

function accountKeys({ streams }: QuotaGroup): number {
  return new Set(streams.flatMap(({ keys }) => keys.map(({ secret }) => secret))).size
}

function accountOf({ first }: QuotaGroup): string {
  return first.keys[0]?.account ?? ''
}

function endpointOf({ first }: QuotaGroup): string {
  return `${first.method} ${first.path.split('?')[0]}`
}
