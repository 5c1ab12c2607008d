/** What the target file gets wrong, as the answers of a run show it. None of it is a fault of the service. */
import type { SystematicCause } from '../judge/causes.ts'
import { deadSelectors } from './dead-selectors.ts'
import { finishedAtOnce } from './finished-at-once.ts'
import { misfitKeys } from './misfit-keys.ts'
import type { Described } from './mistake.ts'
import { otherPaths } from './other-paths.ts'
import { refusedBodies } from './refused-bodies.ts'
import { unknownProducts } from './unknown-products.ts'
import { wrongPrices } from './wrong-prices.ts'
import { wrongTypes } from './wrong-types.ts'

export function findMistakes(described: Described): SystematicCause[] {
  return [
    ...otherPaths(described),
    ...unknownProducts(described),
    ...refusedBodies(described),
    ...deadSelectors(described),
    ...misfitKeys(described),
    ...wrongPrices(described),
    ...wrongTypes(described),
    ...finishedAtOnce(described),
  ]
}
