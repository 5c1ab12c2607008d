/** Security hygiene is warned of where it is seen, and turns nothing red. */
import { describe, expect, test } from 'vitest'
import { ALL_CHECKS } from '../../conformance/registry.ts'
import type { VariantName } from '../../reference/base/variants.ts'
import { renderConsole } from '../../harness/report/console.ts'
import { renderHtml } from '../../harness/report/html.ts'
import { passingRecord } from '../report/sample-record.ts'
import type { Observation } from '../../schemas/generated/run-record.ts'
import { virtualRun } from '../support/virtual-run.ts'

const PLAIN = { colour: false } as const

const SEEN: readonly (readonly [VariantName, string, string])[] = [
  ['cors-wildcard', 'HYG-01', 'catalog.page-size'],
  ['errors-show-internals', 'HYG-02', 'auth.key-elsewhere'],
  ['paths-answer-bare', 'HYG-03', 'auth.key-elsewhere'],
  ['whoami-shows-allowlist', 'HYG-04', 'allowlist.whoami-address'],
]

async function warnings(
  variants: readonly VariantName[],
  ids: readonly string[],
): Promise<readonly Observation[]> {
  const checks = ALL_CHECKS.filter(({ id }) => ids.includes(id))
  expect(checks).toHaveLength(ids.length)
  const { outcomes } = await virtualRun({ checks, service: { seed: 7, variants } })
  const red = outcomes.filter(({ check }) => ['fail', 'warn', 'error'].includes(check.verdict))
  expect(red.map(({ check }) => check.id)).toEqual([])
  return outcomes.flatMap(({ observations }) =>
    observations.filter(({ id }) => id.startsWith('HYG')),
  )
}

describe('security hygiene', () => {
  test.each(SEEN)('%s is warned of as %s', async (variant, id, check) => {
    const seen = await warnings([variant], [check])
    expect([...new Set(seen.map((each) => each.id))]).toEqual([id])
  })

  test('internals in an answer 5xx are warned of as HYG-02', async () => {
    const seen = await warnings(['errors-show-internals'], ['dtu-check.timeout'])
    expect(seen.map(({ id }) => id)).toEqual(['HYG-02'])
    expect(JSON.stringify(seen)).toContain('HTTP 504 with internals in its body')
  })

  test('a service without any is warned of nothing', async () => {
    expect(await warnings([], [...new Set(SEEN.map(([, , check]) => check))])).toEqual([])
  })

  test('the report and the terminal say it, the verdict does not', () => {
    const clean = passingRecord()
    const [observation] = clean.observations
    if (!observation) throw new Error('the sample has observations')
    const warned = { ...clean, observations: [{ ...observation, id: 'HYG-01' }] }
    expect(renderHtml(warned)).toContain('Security hygiene')
    expect(renderHtml(clean)).not.toContain('Security hygiene')
    expect(renderConsole(warned, PLAIN)).toContain('security hygiene, not scored: HYG-01')
    expect(renderConsole(clean, PLAIN)).not.toContain('security hygiene')
  })
})
