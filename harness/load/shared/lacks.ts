import type { OperationName } from '../../../contract/operations.ts'
import { memberOfFile } from '../../target-file/wants.ts'
import type { Want } from '../../../schemas/generated/run-record.ts'

/** What a target lacks for a scenario, in a sentence, and what to add for it. */
export type Lacks = {
  readonly lacks: string
  readonly wants?: readonly Want[]
  /** Checks of the same run look at all that it would show, so that it leaves nothing open. */
  readonly isCovered?: boolean
}

export function lacksPath(operation: OperationName): Lacks {
  return {
    lacks: `the target file gives no path for ${operation}`,
    wants: [memberOfFile('path', `operations.${operation}.path`)],
  }
}
