/** Whatever a server answers, no check breaks: it may fail, stay open or pass, but the harness is never at fault. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { foldOutcomes } from '../support/fold-outcomes.ts'
import { virtualRun } from '../support/virtual-run.ts'
import { confused, type Confusion } from './any-answer.ts'

/** `ANSWERS=300 SEED=1 npm test -- test/hostile/any-answer.test.ts` looks longer, and elsewhere. */
const { ANSWERS = '3', SEED = '14' } = process.env
const numRuns = Number(ANSWERS)

const confusion = fc.record({
  seed: fc.nat(),
  perMille: fc.constantFrom(5, 20, 100, 400),
  always: fc.boolean(),
})

/** Several times what the suite sends: whatever is answered, its work has an end. */
const REQUESTS_MAX = 30_000

/** Faults of the harness in a run over such answers. */
async function faultsOver(drawn: Confusion): Promise<string[]> {
  const { outcomes, session } = await virtualRun({
    isWritten: true,
    network: (transport) => confused(transport, drawn),
  })
  const sent = session.history.all().length
  expect(sent, JSON.stringify(drawn)).toBeLessThan(REQUESTS_MAX)
  return foldOutcomes(outcomes, session)
    .checks.filter(({ verdict, reason = '' }) => verdict === 'error' || /\bat .*\.ts:/.test(reason))
    .map(({ id, reason }) => `${id} with ${JSON.stringify(drawn)}: ${reason}`)
}

test(
  'any JSON in any place of any answer breaks no check',
  { timeout: 600_000 * numRuns },
  async () => {
    const faults: string[] = []
    for (const drawn of fc.sample(confusion, { numRuns, seed: Number(SEED) }))
      faults.push(...(await faultsOver(drawn)))
    expect(faults).toEqual([])
  },
)
