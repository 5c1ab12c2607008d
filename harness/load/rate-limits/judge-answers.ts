import { checkWaitSecondsMax } from '../../../contract/limits.ts'
import { RETRY_AFTER_SECONDS } from '../../../contract/wire.ts'
import { judgeHistory } from '../../judge/limiter.ts'
import { REFUSAL_RULES } from '../../judge/rules/refusals.ts'
import { contradictions, MUST_REFUSE_MIN, refusedOtherwise } from '../../judge/rules/windows.ts'
import type { Answer, Rule } from '../../judge/rules/rule.ts'
import { answerOf, ruleStatements } from '../shared/rule-tally.ts'
import type { Statement } from '../shared/statements.ts'
import { prepareSamples, rowsWith, named, say } from './judge-groups.ts'
import type { QuotaGroup } from './judge-groups.ts'
import type { Samples } from './samples.ts'
import { parseRetryAfterSeconds } from '../../retry-after.ts'

/** The answers beyond the budget: status, statusCode, Retry-After. */
export function answerStatements(group: QuotaGroup): Statement[] {
  const refusals = rowsWith(group.samples, 'refused')
  if (refusals.length === 0) return disguisedStatements(group)
  const isCheck = group.first.bucket === 'orders.check'
  const rules = isCheck ? [...REFUSAL_RULES, checkWaitRule(group)] : REFUSAL_RULES
  const statements = ruleStatements(
    rules,
    refusals.values().map((row) => answerAt(group.samples, row)),
    `${group.first.name}: refusals`,
  ).map(({ requirement, verdict, observed }) => ({
    requirement: named(group, requirement),
    verdict,
    observed,
  }))
  if (isCheck) statements.push(...messageStatements(group))
  if (!group.verdict.explained) return statements
  return [...statements, statusStatement(group), ...earlyStatements(group)]
}

/** Without any 429: windows that refuse by a 5xx, where they would be right if those were 429. */
function disguisedStatements(group: QuotaGroup): Statement[] {
  const { samples, slackMs, first } = group
  const failed = samples.status.filter((status) => status >= 500)
  if (failed.length === 0) return []
  const status = samples.status.map((each) => (each >= 500 ? 429 : each))
  const { explained, counts, fullWindows } = judgeHistory(
    prepareSamples({ ...samples, status }, slackMs),
    { limit: first.limit, history: 'partial' },
  )
  if (!explained || fullWindows === 0 || counts.mustRefuse < MUST_REFUSE_MIN) return []
  const observed = `${failed.length} requests were answered by HTTP ${failed[0]}, as windows of the budget would refuse them`
  return [say(named(group, 'RATE-04'), 'fail', group, observed)]
}

function answerAt(samples: Samples, row: number): Answer {
  const status = samples.status[row] as number
  return answerOf({ status, code: samples.code.at(row), retryAfter: samples.retryAfter.at(row) })
}

/** The wait for a check is at least a second and at most the window. */
function checkWaitRule({ first }: QuotaGroup): Rule<Answer> {
  return {
    requirement: 'RATE-23',
    expected: 'a wait within the window',
    breach: ({ retryAfters }) => {
      const seconds = parseRetryAfterSeconds(retryAfters[0])
      if (seconds === undefined) return undefined
      const isPart = seconds >= 1 && seconds <= checkWaitSecondsMax(first.limit.windowSeconds)
      // The interface gives the default literally, so a service with another window may still say it.
      return isPart || seconds === RETRY_AFTER_SECONDS.checkBucket
        ? undefined
        : `Retry-After ${seconds}`
    },
  }
}

/** Refusals of the check bucket name it; those of POST /orders, in whose window checks may count as well, name that. */
function messageStatements(group: QuotaGroup): Statement[] {
  const { named: right, unnamed } = group.messages
  if (right + unnamed === 0) return []
  const observed = `${unnamed} of ${right + unnamed} messages of refusals did not name the bucket`
  return [say('RATE-22', right > 0 ? 'pass' : 'fail', group, observed)]
}

/** A request that had to be refused was answered, but by another status than 429. */
function statusStatement(group: QuotaGroup): Statement {
  const others = refusedOtherwise(group.prepared, group.verdict)
  const [first] = others
  if (first === undefined)
    return say(named(group, 'RATE-04'), 'pass', group, 'every refusal beyond a budget was a 429')
  const observed = `${others.length} requests beyond the budget were answered by HTTP ${group.samples.status[first]}`
  return say(named(group, 'RATE-04'), 'fail', group, observed)
}

/** Only refusals whose promised wait passed before the last request of the run say anything. */
function earlyStatements(group: QuotaGroup): Statement[] {
  const early = contradictions(group.verdict)['RATE-08']
  if (early.length > 0) {
    const [pair] = group.verdict.retryAfter.tooEarly
    const retryAfter = pair && group.samples.retryAfter.at(pair.refused)
    const observed = `${early.length} requests were refused again by the same window after they had waited as Retry-After said, the first Retry-After: ${retryAfter}`
    return [say('RATE-08', 'fail', group, observed)]
  }
  const { sentMs, receivedMs } = group.samples
  const { promisedSeconds } = group.prepared.index.columns
  const lastSentMs = sentMs.at(-1) ?? -Infinity
  const tested = promisedSeconds.filter(
    (seconds, row) => (receivedMs[row] as number) + 1000 * seconds + group.slackMs < lastSentMs,
  )
  if (tested.length === 0) return []
  const observed = `${tested.length} promised waits passed during the run and none was followed by a refusal of the same window`
  return [say('RATE-08', 'pass', group, observed)]
}
