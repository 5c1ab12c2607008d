/** Failures that the target did not cause: it was not there, or was another one, when they were seen. They are left open. */
import type { Check, Exchange, Finding } from '../../schemas/generated/run-record.ts'
import { isAcross, type Outage } from '../judge/outages.ts'
import type { CheckOutcome } from '../judge/check-outcome.ts'
import type { Absence } from './presence.ts'

/** What was answered in the place of a target that went away says nothing about a requirement. */
export function withoutAbsence(
  outcome: CheckOutcome,
  saysNothing: Absence['saysNothing'],
): CheckOutcome {
  const silent = new Set(outcome.exchanges.filter(saysNothing).map(({ id }) => id))
  return leftOpen(outcome, 'the target was gone', ({ exchanges }) =>
    exchanges.some((id) => silent.has(id)),
  )
}

/** What failed across an outage: a service that begins anew may have forgotten what came before. */
export function withoutOutage(outcome: CheckOutcome, outage: Outage): CheckOutcome {
  const { check, exchanges, stoppedBy = [] } = outcome
  const reason = `while it ran, ${outage.text}`
  const isUnderWay = outage.checks.includes(check.id)
  if (isUnderWay && check.verdict === 'untested' && stoppedBy.length > 0)
    return { ...outcome, check: { ...check, verdict: 'inconclusive', reason } }
  const known = new Map(exchanges.map((exchange) => [exchange.id, exchange]))
  return leftOpen(outcome, reason, (finding) => {
    if (isUnderWay) return true
    const seen = finding.exchanges.flatMap((id): Exchange[] => {
      const exchange = known.get(id)
      return exchange ? [exchange] : []
    })
    return seen.length > 0 && isAcross(outage, seen)
  })
}

function leftOpen(
  outcome: CheckOutcome,
  reason: string,
  saysNothing: (finding: Finding) => boolean,
): CheckOutcome {
  const { check } = outcome
  const findings = check.findings.map((finding) =>
    finding.verdict === 'fail' && saysNothing(finding)
      ? { ...finding, verdict: 'inconclusive' as const }
      : finding,
  )
  const isOpen = check.verdict === 'fail' && findings.every(({ verdict }) => verdict !== 'fail')
  const left: Check = { ...check, findings, ...(isOpen && { verdict: 'inconclusive', reason }) }
  return { ...outcome, check: left }
}
