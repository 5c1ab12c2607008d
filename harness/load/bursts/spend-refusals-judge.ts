import { attemptsOf, sayFor } from './spend-keys.ts'
import type { KeyRun } from './spend-keys.ts'
import { CAP_MARK_RULES } from '../../judge/rules/refusals.ts'
import { answerOf, ruleStatements } from '../shared/rule-tally.ts'
import type { Statement } from '../shared/statements.ts'
import { isCapRefusal } from '../../answers.ts'
import { isNamed } from './burst-proof.ts'

/** The marks of every refusal by the cap. */
export function refusalStatements(key: KeyRun): Statement[] {
  const refusals = attemptsOf(key.orders).filter(isCapRefusal)
  return ruleStatements(CAP_MARK_RULES, refusals.map(answerOf), key.name)
}

/** What the cap refused left no trace: its reference finds nothing, and buys something else or is refused as before (OPEN-65). */
export function reuseStatements({ name, traces, orders }: KeyRun): Statement[] {
  const say = sayFor({ name })
  const reused = orders.find(({ attempts }) =>
    attempts.some(({ phase }) => phase === 'reuse-reference'),
  )
  if (!reused) return []
  // A filter that finds nothing may also be answered by 404.
  const answered = traces.filter(({ status }) => status === 200 || status === 404)
  const trace = answered.find(({ reference }) => reference === reused.reference)
  const control = answered.find(({ reference }) => reference !== reused.reference)
  const found = trace?.items ?? 0
  if (control?.items === 1 && found > 0)
    return [say('CAP-10', 'fail', `the reference of a refused order finds ${found}`)]
  const last = reused.attempts.findLast(({ phase }) => phase !== 'burst')
  if (!last || last.status === 0 || last.status === 429 || last.status >= 500) return []
  const observed = `the reference of a refused order found nothing and was answered by HTTP ${last.status} when it was used again for less`
  return [say('CAP-10', isNamed(last) || isCapRefusal(last) ? 'pass' : 'fail', observed)]
}
