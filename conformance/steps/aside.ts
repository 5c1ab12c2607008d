import { StillThrottled } from '../../harness/client/api.ts'
import { HarnessError } from '../../harness/errors.ts'
import { PurchaseRefused } from '../../harness/purchases/purchase.ts'
import { Undecided } from '../engine/kit.ts'

/** Looks at what no requirement asks for: where that does not come about, the check that looked is decided all the same. */
export async function aside(look: () => Promise<void>): Promise<void> {
  try {
    await look()
  } catch (cause) {
    const isOfTarget = [Undecided, StillThrottled, PurchaseRefused, HarnessError].some(
      (kind) => cause instanceof kind,
    )
    if (!isOfTarget) throw cause
  }
}
