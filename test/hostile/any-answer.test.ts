/** Whatever a server answers, no check breaks: it may fail, stay open or pass, but the harness is never at fault. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { foldOutcomes } from '../support/fold-outcomes.ts'
import { virtualRun } from '../support/virtual-run.ts'
import { confused } from './any-answer.ts'

/** `ANSWERS=300 npm test -- test/hostile/any-answer.test.ts` looks longer. */
const numRuns = Number(process.env['ANSWERS'] ?? 3)

const confusion = fc.record({
  seed: fc.nat(),
  perMille: fc.constantFrom(5, 20, 100, 400),
  always: fc.boolean(),
})

test(
  'any JSON in any place of any answer breaks no check',
  { timeout: 60_000 * numRuns },
  async () => {
    await fc.assert(
      fc.asyncProperty(confusion, async (drawn) => {
        const { outcomes, session } = await virtualRun({
          network: (transport) => confused(transport, drawn),
        })
        const { checks } = foldOutcomes(outcomes, session)
        const broken = checks.filter(
          ({ verdict, reason }) => verdict === 'error' || /\bat .*\.ts:/.test(reason ?? ''),
        )
        expect(broken.map(({ id, reason }) => `${id}: ${reason}`)).toEqual([])
      }),
      { numRuns, endOnFailure: true },
    )
  },
)
