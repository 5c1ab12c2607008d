import { expect, test } from 'vitest'
import { REQUIREMENTS, requirementById } from '../../contract/requirements/index.ts'
import { FAULTS, FAULT_NAMES, type FaultFact, FaultSet } from './faults.ts'

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
