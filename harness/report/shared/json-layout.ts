/** Lays JSON out in lines without touching a token: evidence keeps its numbers, escapes and duplicate keys as they came. */

const INDENT = '  '

/** Evidence is shorter. */
const LENGTH_MAX = 50_000

function isJsonContainer(text: string): boolean {
  if (!/^\s*[[{]/.test(text)) return false
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

const TOKEN = /"(?:[^"\\]|\\.)*"|[[\]{},:]|[^\s[\]{},:"]+/g
const OPENING = new Set(['{', '['])
const CLOSING = new Set(['}', ']'])

/** Adds line breaks and indentation to an object or array in JSON; any other text, and one of megabytes, comes back unchanged. */
export function layOutJson(text: string): string {
  if (text.length > LENGTH_MAX || !isJsonContainer(text)) return text
  const tokens = text.match(TOKEN) ?? []
  const out: string[] = []
  let depth = 0
  const breakLine = (): void => void out.push('\n', INDENT.repeat(depth))
  for (const [i, token] of tokens.entries()) {
    const previous = tokens[i - 1] ?? ''
    if (CLOSING.has(token)) {
      depth--
      if (!OPENING.has(previous)) breakLine()
    } else if (OPENING.has(previous)) breakLine()
    out.push(token)
    if (OPENING.has(token)) depth++
    else if (token === ',') breakLine()
    else if (token === ':') out.push(' ')
  }
  return out.join('')
}
