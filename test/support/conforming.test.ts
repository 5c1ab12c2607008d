import { expect, test } from 'vitest'
import { VARIANT_NAMES } from '../../reference/base/variants.ts'
import { fits, servicesTogether, variantsNamed } from './conforming.ts'

test.each([0, 1, 2])('round %i has each variant once, in groups that fit', (round) => {
  const [clean, ...services] = servicesTogether(round)
  const groups = services.map((name) => variantsNamed(name) ?? [])
  expect(clean).toBe('clean')
  expect(groups.flat().toSorted()).toEqual(VARIANT_NAMES.toSorted())
  for (const group of groups)
    for (const name of group)
      expect(
        fits(
          name,
          group.filter((other) => other !== name),
        ),
      ).toBe(true)
})

test('rounds are drawn anew', () => {
  expect(servicesTogether(0)).not.toEqual(servicesTogether(1))
})

test.each(['', 'clean+keys-shuffled', 'keys-shuffled+nothing'])(
  'no service is called %j',
  (name) => {
    expect(variantsNamed(name)).toBeUndefined()
  },
)
