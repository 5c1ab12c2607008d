import { expect, test } from 'vitest'
import { REQUIREMENTS, requirementById } from '../contract/requirements/index.ts'
import { FAULTS, FAULT_NAMES, FaultSet } from './faults.ts'
import type { FaultFact } from './faults.ts'
import { shapeFault } from './shape-faults.ts'
import { PROBES, observe } from './testing/probes.ts'

/** More changed probes than this: the fault sits in what every answer has, or every refusal. */
const EVERYWHERE = 40

/** Faults of shape have a test of their own (shape-faults.test.ts). */
const BEHAVIOUR_FAULTS = FAULT_NAMES.filter((name) => shapeFault(name) === undefined)

test('the clean service answers every probe the same way twice', async () => {
  expect(await observe([])).toEqual(await observe([]))
})

/** The table is reviewed by hand: a fault that changes more than its summary says is not honest. `vitest run -u` writes it. */
test('each fault changes what it says and nothing else', { timeout: 120_000 }, async () => {
  const clean = await observe([])
  const table = new Map<string, readonly string[]>()
  for (const name of BEHAVIOUR_FAULTS) {
    const seen = await observe([name])
    const changed = Object.keys(PROBES).filter((probe) => seen[probe] !== clean[probe])
    expect(changed, name).not.toEqual([])
    table.set(name, changed.length > EVERYWHERE ? ['everywhere'] : changed)
  }
  const lines = table.entries().map(([name, changed]) => `${name}: ${changed.join(' | ')}\n`)
  await expect(lines.toArray().join('')).toMatchFileSnapshot('testing/changed-probes.txt')
  const unchanged = Object.keys(PROBES).filter(
    (probe) => !table.values().some((changed) => changed.includes(probe)),
  )
  // Changed by faults that sit everywhere.
  expect(unchanged).toEqual(['envelope of a body'])
})

test.each(FAULT_NAMES)('%s breaks requirements that a client can see', (name) => {
  const { breaks, also = [] }: FaultFact = FAULTS[name]
  for (const id of [breaks, ...also]) expect(requirementById(id).excluded).toBeUndefined()
})

test('every requirement that a client can see has a fault, but for what is only permitted', () => {
  const broken = new Set<string>(Object.values(FAULTS).map((fact) => fact.breaks))
  const whole = REQUIREMENTS.filter(({ id, excluded }) => excluded === undefined && !broken.has(id))
  // A permission has nothing that a server could do wrong.
  expect(whole.filter(({ level }) => level !== 'may').map(({ id }) => id)).toEqual([])
})

test('a name that does not exist is refused and changes nothing', () => {
  const faults = new FaultSet(['cap-answers-429'])
  expect(() => faults.set(['cap-strictly-less', 'nothing'])).toThrow(/"nothing", which does not/)
  expect(faults.names()).toEqual(['cap-answers-429'])
})
