/** References that a service keeps for a minute only: short windows do not show it, the time before a replay does. */
import { expect, test } from 'vitest'
import { ALL_CHECKS } from '../../conformance/registry.ts'
import { resolveDocument } from '../../harness/target-file/resolve-document.ts'
import { demoEnvironment } from '../../reference/seed.ts'
import { targetFile } from '../../reference/target.ts'
import { virtualRun } from '../support/virtual-run.ts'

const LATE = ['idempotency.kinds-after-window', 'idempotency.replay-after-window']

test.each([
  [undefined, 'pass'],
  [59, 'pass'],
  [61, 'fail'],
])('with replayAfterSeconds %j late replays %s', async (replayAfterSeconds, verdict) => {
  const file = targetFile('http://in-process.invalid')
  const { hazards: _none, ...target } = resolveDocument(
    { ...file, ...(replayAfterSeconds !== undefined && { replayAfterSeconds }) },
    { name: 'forgetful', env: demoEnvironment() },
  )
  const { outcomes } = await virtualRun({
    target,
    faults: ['references-kept-a-minute'],
    checks: ALL_CHECKS.filter(({ id }) => LATE.includes(id)),
    invariants: [],
  })
  const verdicts = Object.fromEntries(outcomes.map(({ check }) => [check.id, check.verdict]))
  expect(verdicts).toEqual(Object.fromEntries(LATE.map((id) => [id, verdict])))
})
