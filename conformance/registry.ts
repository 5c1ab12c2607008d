import * as keys from './auth/keys.check.ts'
import * as orderOfChecks from './auth/order-of-checks.check.ts'
import * as scopes from './auth/scopes.check.ts'
import type { CheckDefinition, InvariantDefinition } from './check.ts'
import * as mediaType from './content-type/media-type.check.ts'
import * as everyResponse from './envelope/every-response.check.ts'
import * as partitions from './limits/partitions.check.ts'
import * as report from './limits/report.check.ts'
import * as windows from './limits/windows.check.ts'

const CHECK_MODULES: readonly Readonly<Record<string, CheckDefinition>>[] = [
  keys,
  scopes,
  orderOfChecks,
  mediaType,
  windows,
  partitions,
  report,
]

const INVARIANT_MODULES: readonly Readonly<Record<string, InvariantDefinition>>[] = [everyResponse]

/** Every check, in the order of the report. A check file that is not named here is dead, which knip reports. */
export const ALL_CHECKS: readonly CheckDefinition[] = CHECK_MODULES.flatMap((each) =>
  Object.values(each),
)

/** Checks that judge the whole history of a run, after all others. */
export const ALL_INVARIANTS: readonly InvariantDefinition[] = INVARIANT_MODULES.flatMap((each) =>
  Object.values(each),
)
