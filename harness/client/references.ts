import type { ReferenceForm, References } from '../../contract/reference-id.ts'

/** Those of one run, or of one scenario of load. */
export function newReferences(form: ReferenceForm = 'uuid'): References {
  return { form, mark: crypto.randomUUID().slice(0, 8) }
}
