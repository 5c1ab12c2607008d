import type { CapacityStep } from '../../schemas/generated/run-record.ts'
import { latenciesOf, quantile } from '../load/shared/latencies.ts'
import { rounded } from './measure.ts'
import type { CapacityPlan } from './plan.ts'
import { nextMove, type SearchEnd, type SearchStep, type Step } from './search.ts'
import { judgeStep, type GeneratorBounds, type StepEvidence } from './verdict.ts'

/** Carries one step out. Undefined: it was interrupted, so nothing is known of it. */
export type StepRunner = (step: Step, number: number) => Promise<StepEvidence | undefined>

/**
 * Runs the steps of a search one after the other until it ends. `steps` is filled as they come, so that an error loses none.
 */
export async function conductSearch(
  { settings, goals }: CapacityPlan,
  bounds: GeneratorBounds,
  runStep: StepRunner,
  steps: CapacityStep[],
): Promise<SearchEnd> {
  for (;;) {
    const move = nextMove(settings, steps.map(searchStepOf))
    if ('end' in move) return move.end
    const evidence = await runStep(move.step, steps.length + 1)
    if (!evidence) return { ending: 'inconclusive', stoppedBy: 'interruption' }
    const judgement = judgeStep(evidence, {
      goals,
      bounds,
      isFirm: move.step.purpose === 'confirm',
    })
    const { measured, machine } = evidence
    steps.push({
      number: steps.length + 1,
      purpose: move.step.purpose,
      seconds: move.step.seconds,
      plannedPerSecond: move.step.ratePerSecond,
      offeredPerSecond: rounded(measured.offeredPerSecond),
      achievedPerSecond: rounded(measured.achievedPerSecond),
      verdict: judgement.verdict,
      ...(judgement.constraint && { constraint: judgement.constraint }),
      reason: judgement.reason,
      goals: [...judgement.goals],
      requests: measured.requests,
      ...(measured.orders !== undefined && { orders: measured.orders }),
      admitted: latenciesOf(measured.admittedMs),
      refused: latenciesOf(measured.refusedMs),
      generator: {
        lagMsP99: rounded(quantile(measured.lagMs, 0.99)),
        lagMsMax: rounded(quantile(measured.lagMs, 1)),
        sessionsPlanned: measured.sessionsPlanned,
        sessionsStarted: measured.sessionsStarted,
        ...(machine.busyShare !== undefined && { machineBusy: rounded(machine.busyShare) }),
        ...(machine.k6Cores !== undefined && { k6Cores: rounded(machine.k6Cores) }),
        ...(machine.harnessCores !== undefined && {
          harnessCores: rounded(machine.harnessCores),
        }),
      },
    })
  }
}

/** What a step left open by its samples alone was not confirmed; the search goes on below it. */
function searchStepOf({
  purpose,
  plannedPerSecond,
  seconds,
  verdict,
  constraint,
}: CapacityStep): SearchStep {
  const isOpen = verdict === 'inconclusive' && constraint === undefined
  return { purpose, ratePerSecond: plannedPerSecond, seconds, verdict: isOpen ? 'bad' : verdict }
}
