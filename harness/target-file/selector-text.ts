/** How names are written in a JSONPath (RFC 9535). */
export function memberOf(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) ? `.${name}` : `[${quoted(name)}]`
}

export function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}

/** A JSON Pointer as the steps of a JSONPath: `/budget/requests` is `.budget.requests`. */
export function stepsOf(pointer: string): string {
  return pointer
    .split('/')
    .slice(1)
    .map((token) => memberOf(token.replaceAll('~1', '/').replaceAll('~0', '~')))
    .join('')
}
