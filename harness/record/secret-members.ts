/**
 * Takes the values of secret fields out of a text that need not be whole JSON: scanners, for a text is as long and as odd as a server
 * likes. A regular expression keeps a note for each letter of a value, until there is no room for them.
 */
import { isBlank } from '../text-views.ts'
import { isMasked, isSecretField, NAME_LENGTH_MAX } from './secret-fields.ts'

const NAME_LENGTH_MIN = 3

/** `"name": "value"`, `"name": 123` and `?name=value`, whatever the length of the value. */
export function withoutSecretFields(text: string): string {
  return withoutQueryValues(withoutMemberValues(text))
}

/** What is put in place of a part of a text. `end` is exclusive. */
type Change = { readonly start: number; readonly end: number; readonly text: string }

function changed(text: string, changes: readonly Change[]): string {
  if (changes.length === 0) return text
  let result = ''
  let end = 0
  for (const change of changes) {
    result += text.slice(end, change.start) + change.text
    end = change.end
  }
  return result + text.slice(end)
}

/** Members of JSON, also where the JSON stands in a text of JSON itself, and where the text ends too early. */
function withoutMemberValues(text: string): string {
  const changes: Change[] = []
  let at = text.indexOf('"')
  while (at >= 0) {
    const change = secretMemberAt(text, at)
    if (change) changes.push(change)
    at = text.indexOf('"', change ? change.end : at + 1)
  }
  return changed(text, changes)
}

/** The value of the member whose name is opened by the quote at `quote`, if it is to be hidden. */
function secretMemberAt(text: string, quote: number): Change | undefined {
  const nameEnd = endOfName(text, quote + 1)
  if (nameEnd - quote - 1 < NAME_LENGTH_MIN) return undefined
  const name = text.slice(quote + 1, nameEnd)
  if (!isSecretField(name)) return undefined
  const depth = backslashesBefore(text, quote)
  const closing = text.slice(quote - depth, quote + 1)
  if (!text.startsWith(closing, nameEnd)) return undefined
  const colon = afterBlanks(text, nameEnd + closing.length)
  if (text[colon] !== ':') return undefined
  const start = afterBlanks(text, colon + 1)
  const value = valueAt(text, start)
  if (value === undefined || isMasked(value.text)) return undefined
  return { start, end: value.end, text: `${closing}«${name}»${closing}` }
}

type Value = { readonly text: string; readonly end: number }

/** A text, with its quotes, or a number. */
function valueAt(text: string, start: number): Value | undefined {
  const quote = afterBackslashes(text, start)
  if (text[quote] === '"') return textAt(text, quote + 1, quote - start)
  let end = text[start] === '-' ? start + 1 : start
  if (!isDigit(text.charCodeAt(end))) return undefined
  while (isDigit(text.charCodeAt(end)) || text[end] === '.') end += 1
  return { text: text.slice(start, end), end }
}

/** Ends with a quote that as few backslashes escape as the one that opened it, or with the text. */
function textAt(text: string, start: number, depth: number): Value {
  let quote = text.indexOf('"', start)
  while (quote >= 0) {
    const backslashes = Math.min(backslashesBefore(text, quote), quote - start)
    const isEnd = depth === 0 ? backslashes % 2 === 0 : backslashes <= depth
    if (isEnd)
      return { text: text.slice(start, depth === 0 ? quote : quote - backslashes), end: quote + 1 }
    quote = text.indexOf('"', quote + 1)
  }
  return { text: text.slice(start), end: text.length }
}

/** Names and values of a URL or a form. */
function withoutQueryValues(text: string): string {
  const changes: Change[] = []
  let at = text.indexOf('=')
  while (at >= 0) {
    const name = nameBefore(text, at)
    const end = name === undefined ? at + 1 : endOfQueryValue(text, at + 1)
    if (name !== undefined && !isMasked(text.slice(at + 1, end)))
      changes.push({ start: at + 1, end, text: `«${name}»` })
    at = text.indexOf('=', end)
  }
  return changed(text, changes)
}

/** The name of a secret field that stands between `?` or `&` and the equals sign. */
function nameBefore(text: string, equals: number): string | undefined {
  let start = equals
  while (equals - start <= NAME_LENGTH_MAX && isNameCharacter(text.charCodeAt(start - 1)))
    start -= 1
  const before = text[start - 1]
  if (equals - start < NAME_LENGTH_MIN || (before !== '?' && before !== '&')) return undefined
  const name = text.slice(start, equals)
  return isSecretField(name) ? name : undefined
}

const QUERY_ENDS = '&#"\'<>'

function endOfQueryValue(text: string, start: number): number {
  let end = start
  while (end < text.length && !QUERY_ENDS.includes(text.charAt(end)) && !isBlankAt(text, end))
    end += 1
  return end
}

function endOfName(text: string, start: number): number {
  let end = start
  while (end - start <= NAME_LENGTH_MAX && isNameCharacter(text.charCodeAt(end))) end += 1
  return end
}

function backslashesBefore(text: string, at: number): number {
  let start = at
  while (start > 0 && text[start - 1] === '\\') start -= 1
  return at - start
}

function afterBackslashes(text: string, start: number): number {
  let at = start
  while (text[at] === '\\') at += 1
  return at
}

function afterBlanks(text: string, start: number): number {
  let at = start
  while (at < text.length && isBlankAt(text, at)) at += 1
  return at
}

function isBlankAt(text: string, at: number): boolean {
  return isBlank(text.charCodeAt(at))
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39
}

/** A letter of ASCII, `-` or `_`. */
function isNameCharacter(code: number): boolean {
  const letter = code | 0x20
  return (letter >= 0x61 && letter <= 0x7a) || code === 0x2d || code === 0x5f
}
