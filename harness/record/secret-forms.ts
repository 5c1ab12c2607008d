/** The ways in which one secret can stand in a text. */

/** Where base64 of something longer holds the secret, its text depends on where in a group of three bytes the secret begins. */
function base64Forms(value: string): string[] {
  return ['', '\0', '\0\0'].flatMap((before) => {
    const bytes = Buffer.from(before + value)
    // The first and the last character may hold bits of the neighbours.
    const start = Math.ceil((before.length * 8) / 6)
    const text = bytes.toString('base64').slice(start, Math.floor((bytes.length * 8) / 6))
    return /[+/]/.test(text) ? [text, text.replaceAll('+', '-').replaceAll('/', '_')] : [text]
  })
}

/** Plain, escaped for JSON, URLs and forms. */
function escapedForms(value: string): string[] {
  if (NEVER_ESCAPED.test(value)) return [value]
  const wellFormed = value.toWellFormed()
  const inUrl = encodeURIComponent(wellFormed)
  return [
    value,
    JSON.stringify(value).slice(1, -1),
    inUrl,
    inUrl.replaceAll('%20', '+'),
    encodeURI(wellFormed),
  ]
}

const NEVER_ESCAPED = /^[\w.-]*$/

/** Plain, escaped, in base64 and in hexadecimal digits. */
export function formsOf(value: string): string[] {
  return [...escapedForms(value), ...base64Forms(value), Buffer.from(value).toString('hex')]
}

/** So many letters of a key in a row are no chance, and would help whoever wants the rest. */
const PART_LENGTH = 12

/** Every part of a key that is long enough to be hidden by itself. */
export function partsOf(value: string): string[] {
  const count = Math.max(0, value.length - PART_LENGTH + 1)
  return Array.from({ length: count }, (_, start) => value.slice(start, start + PART_LENGTH))
}
