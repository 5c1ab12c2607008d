/** Judging what machines recorded whose clocks differ, by a bound that is known: only what every such difference leaves standing is decided. */
import type { OpenModelEvidence } from './open-model/import.ts'
import type { Judgement } from './shared/conclusion.ts'
import type { PlannedAttempt } from './planned-attempt.ts'
import { isShared } from './shared-windows.ts'

/** The same run, judged with clocks that may differ: windows that several instances spend are blurred by that much more. */
export function withClockSkew(attempt: PlannedAttempt, clockSkewMs: number): PlannedAttempt {
  // Each script is carried out by one process, and all that is said of bursts is said of scripts.
  if (attempt.kind === 'bursts') return attempt
  if (attempt.kind === 'open-model') return { ...attempt, plan: { ...attempt.plan, clockSkewMs } }
  const { plan } = attempt
  const streams = plan.file.streams.map((stream, index) =>
    isShared(plan, index) ? { ...stream, slackMs: stream.slackMs + clockSkewMs } : stream,
  )
  return { ...attempt, plan: { ...plan, file: { ...plan.file, streams } } }
}

/**
 * Judges sessions that several machines sent. What is said must also be said when each request may have been under way for half of the
 * difference longer at both ends: then it acted in that time for certain. And what proves that requests overlapped must also do so when
 * each is only certain to have been for so much less. What does not hold then is left open.
 */
export function judgeWithSkew(
  evidence: OpenModelEvidence,
  clockSkewMs: number,
  judge: (evidence: OpenModelEvidence) => Judgement,
): Judgement {
  const judgement = judge(evidence)
  if (clockSkewMs === 0) return judgement
  const byMs = clockSkewMs / 2
  const longer = judge(stretched(evidence, byMs)).statements.verdicts()
  const shorter = judge(stretched(evidence, -byMs)).statements.verdicts()
  const verdicts = judgement.statements.verdicts()
  return {
    ...judgement,
    statements: judgement.statements.leftOpen((requirement) => {
      const verdict = verdicts.get(requirement)
      if (verdict === 'inconclusive') return false
      const isKept =
        verdict === 'fail' ? shorter.get(requirement) === verdict : shorter.has(requirement)
      return longer.get(requirement) !== verdict || !isKept
    }, `clocks that differ by ${clockSkewMs} ms leave it open`),
  }
}

/** Every request longer at both ends, or shorter. */
function stretched(evidence: OpenModelEvidence, byMs: number): OpenModelEvidence {
  return { ...evidence, sessions: evidence.sessions.stretched(byMs) }
}
