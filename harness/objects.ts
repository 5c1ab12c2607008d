/** A JSON object: neither null nor an array. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A JSON object or an array. */
export function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
