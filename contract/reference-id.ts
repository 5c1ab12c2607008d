/** What the harness sends as `referenceId`. The interface calls it a string and shows no form (POST /api/v1/orders, rule 1). */

/** Forms that services ask of a reference: a UUID, letters and digits alone (17 of them), or digits alone (19). */
export const REFERENCE_FORMS = ['uuid', 'alphanumeric', 'digits'] as const
export type ReferenceForm = (typeof REFERENCE_FORMS)[number]

/** What all references of a run have in common. The mark is of eight hexadecimal digits, and no other run has it. */
export type References = { readonly form: ReferenceForm; readonly mark: string }

/** A reference by its number in a group: groups are below 1,000, numbers below a million. */
export function referenceIdOf({ form, mark }: References, group: number, number: number): string {
  const place = `${padded(group, 3)}${padded(number, 6)}`
  if (form === 'alphanumeric') return `${mark}${place}`
  if (form === 'digits') return `${padded(Number.parseInt(mark, 16), 10)}${place}`
  return `${mark}-0000-4000-8000-${padded(group, 3)}${padded(number, 9)}`
}

function padded(value: number, length: number): string {
  return String(value).padStart(length, '0')
}
