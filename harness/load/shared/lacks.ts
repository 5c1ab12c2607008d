import type { Want } from '../../../schemas/generated/run-record.ts'

/** What a target lacks for a scenario, in a sentence, and what to add for it. */
export type Lacks = { readonly lacks: string; readonly wants?: readonly Want[] }
