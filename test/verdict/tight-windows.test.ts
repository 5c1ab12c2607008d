/** Keys that all checks share, on a service whose windows are so tight that checks spend those of one another. */
import { expect, test } from 'vitest'
import { ALL_CHECKS } from '../../conformance/registry.ts'
import { resolveDocument } from '../../harness/target-file/resolve-document.ts'
import { demoEnvironment } from '../../reference/seed.ts'
import { targetFile } from '../../reference/target.ts'
import { virtualRun } from '../support/virtual-run.ts'

/** Those of windows, and those that spend the windows of many endpoints beside them. */
const AREAS = /^(answers|auth|catalog|content-type|limits|lookup|orders|validation)\./

test('no endpoint is blamed for the window of another', async () => {
  const { hazards: _none, ...target } = resolveDocument(targetFile('http://in-process.invalid'), {
    name: 'tight',
    env: demoEnvironment(),
  })
  const { outcomes } = await virtualRun({
    target,
    service: { limits: { default: { count: 12, windowSeconds: 60 } } },
    startsAfterMs: 17_300,
    checks: ALL_CHECKS.filter(({ id }) => AREAS.test(id)),
  })
  const failed = outcomes.filter(({ check }) => check.verdict === 'fail')
  expect(failed.map(({ check }) => `${check.id}: ${check.observed}`)).toEqual([])
  const apart = outcomes.filter(({ check }) => check.id === 'limits.separate-endpoints')
  expect(apart.flatMap(({ check }) => check.findings.map(({ verdict }) => verdict))).toContain(
    'pass',
  )
})
