import type { VariantSet } from '../base/variants.ts'
import type { FaultSet } from '../faults/faults.ts'

/** In what the service differs from the clean one: wrongly, or as the interface permits. */
export type Behaviour = {
  readonly faults: FaultSet
  readonly variants: VariantSet
}
