import { beforeAll, describe, expect, test } from 'vitest'
import { requirementById } from '../contract/requirements/index.ts'
import { FAULTS, FAULT_NAMES, FaultSet } from './faults.ts'
import { shapeFault } from './shape-faults.ts'
import { CHANGED_PROBES } from './testing/changed-probes.ts'
import type { BehaviourFaultName } from './testing/changed-probes.ts'
import { PROBES, observe } from './testing/probes.ts'

let clean: Record<string, string> = {}

beforeAll(async () => {
  clean = await observe([])
})

test('the clean service answers every probe the same way twice', async () => {
  expect(await observe([])).toEqual(clean)
})

const BEHAVIOUR_FAULTS = FAULT_NAMES.filter(
  (name): name is BehaviourFaultName => shapeFault(name) === undefined,
)

describe.each(BEHAVIOUR_FAULTS)('fault %s', (name) => {
  test('changes what it says and nothing else', async () => {
    const seen = await observe([name])
    const changed = Object.keys(PROBES).filter((probe) => seen[probe] !== clean[probe])
    const expected = CHANGED_PROBES[name]
    if (expected === 'everywhere') expect(changed.length).toBeGreaterThan(10)
    else expect(changed).toEqual(expected)
  })
})

test.each(FAULT_NAMES)('%s breaks a requirement that a client can see', (name) => {
  const requirement = requirementById(FAULTS[name].breaks)
  expect(requirement.id).toBe(FAULTS[name].breaks)
  expect(requirement.excluded).toBeUndefined()
})

test('every fault changes a probe, and every probe is changed by a fault or stands for what none may change', () => {
  const unchanged = Object.keys(PROBES).filter(
    (probe) =>
      !Object.values(CHANGED_PROBES).some(
        (changed) => changed !== 'everywhere' && changed.includes(probe),
      ),
  )
  expect(Object.values(CHANGED_PROBES).filter((changed) => changed.length === 0)).toEqual([])
  // The first is changed by faults that sit everywhere.
  expect(unchanged).toEqual([
    'envelope of a body',
    'content type with a charset',
    'allowlist absent',
  ])
})

test('a name that does not exist is refused and changes nothing', () => {
  const faults = new FaultSet(['cap-answers-429'])
  expect(() => faults.set(['cap-strictly-less', 'nothing'])).toThrow(/"nothing", which does not/)
  expect(faults.names()).toEqual(['cap-answers-429'])
})
