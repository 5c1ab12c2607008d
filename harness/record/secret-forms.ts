/** The ways in which one secret can stand in a text. */

/** Where base64 of something longer holds the secret, its text depends on where in a group of three bytes the secret begins. */
function base64Forms(value: string, encoding: 'base64' | 'base64url'): string[] {
  return [0, 1, 2].map((before) => {
    const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(value)])
    const text = bytes.toString(encoding).replaceAll('=', '')
    // The first and the last character may hold bits of the neighbours.
    const start = Math.ceil((before * 8) / 6)
    return text.slice(start, Math.floor((bytes.length * 8) / 6))
  })
}

/** Plain, escaped for JSON, URLs and forms, in base64 and in hexadecimal digits. */
export function formsOf(value: string): string[] {
  const inUrl = encodeURIComponent(value.toWellFormed())
  return [
    value,
    JSON.stringify(value).slice(1, -1),
    inUrl,
    inUrl.replaceAll('%20', '+'),
    encodeURI(value.toWellFormed()),
    ...base64Forms(value, 'base64'),
    ...base64Forms(value, 'base64url'),
    Buffer.from(value).toString('hex'),
  ]
}

/** So many letters of a key in a row are no chance, and would help whoever wants the rest. */
const PART_LENGTH = 12

/** Every part of a key that is long enough to be hidden by itself. */
export function partsOf(value: string): string[] {
  const count = Math.max(0, value.length - PART_LENGTH + 1)
  return Array.from({ length: count }, (_, start) => value.slice(start, start + PART_LENGTH))
}
