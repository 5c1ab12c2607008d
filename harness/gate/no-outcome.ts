/** The outcome of what was selected and did not come to its end. */
import type { CheckOutcome } from '../judge/check-outcome.ts'
import type { Selectable } from './conformance.ts'

export function emptyCheck(
  { id, title, requirements }: Selectable,
  verdict: 'untested' | 'error',
  reason: string,
): CheckOutcome {
  return {
    check: {
      id,
      title,
      area: id.slice(0, id.indexOf('.')),
      requirements: [...requirements],
      verdict,
      reason,
      expected: '',
      observed: '',
      findings: [],
      exchanges: [],
      durationSeconds: 0,
      repeat: `npm run conformance -- --only ${id}`,
    },
    exchanges: [],
    observations: [],
    windows: [],
  }
}
