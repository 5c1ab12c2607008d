/** A hundred ways to be wrong, each with what the run has to end as. */
import { afterAll, describe, expect, test, vi } from 'vitest'
import { demoEnvironment } from '../../reference/seed.ts'
import { hold, type Row } from './row.ts'
import { ROWS } from './rows/index.ts'

for (const [name, value] of Object.entries(demoEnvironment())) vi.stubEnv(name, value)
afterAll(() => void vi.unstubAllEnvs())

const nameOf = ({ probes, what }: Row): string => `${probes.join(', ')}: ${what}`

function holdAll(rows: readonly Row[]): void {
  test.for(rows.map((row) => [nameOf(row), row] as const))('%s', ([, row], { skip }) => {
    skip(row.lacks !== undefined, row.lacks)
    return hold(row)
  })
}

const { turn = [], beside = [] } = Object.groupBy(ROWS, ({ by }) =>
  by === 'turn' ? 'turn' : 'beside',
)

describe.concurrent('ends as it has to', () => holdAll(beside))
describe('ends as it has to, alone', () => holdAll(turn))

test('no two probes have one name', () => {
  expect(new Set(ROWS.map(nameOf)).size).toBe(ROWS.length)
})
