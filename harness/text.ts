/** Text from a record, made fit to show: bounded, well formed, nothing invisible. Every renderer goes through here. */

/** Longest text shown in one place unless a renderer asks for less. The whole text stands in run.json. */
const TEXT_CHARS_MAX = 6_000

const INVISIBLE = /[\p{Cc}\p{Cf}\u2028\u2029\ufffe\uffff]/gu

/** Cuts `text` to `charsMax` UTF-16 units, never inside a surrogate pair, and says how much was left out. */
export function capped(text: string, charsMax: number = TEXT_CHARS_MAX): string {
  if (text.length <= charsMax) return text
  const isHighSurrogate = (text.charCodeAt(charsMax - 1) & 0xfc00) === 0xd800
  const kept = text.slice(0, isHighSurrogate ? charsMax - 1 : charsMax)
  return `${kept} … and ${plural(text.length - kept.length, 'more character')}`
}

/**
 * Makes every character visible: controls, zero-width and direction-changing characters as `\u{…}`, lone surrogates as U+FFFD. Line feeds and tabs stay. A server's answer then cannot move the cursor, turn the line around or
 * break a file format.
 */
export function visible(text: string): string {
  return text.toWellFormed().replace(INVISIBLE, (character) => {
    if (character === '\n' || character === '\t') return character
    return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`
  })
}

/** One line: visible, bounded, every run of white space a single blank. */
export function oneLine(text: string, charsMax: number = TEXT_CHARS_MAX): string {
  return visible(capped(text.trim(), charsMax)).replaceAll(/\s+/g, ' ')
}

const numbers = new Intl.NumberFormat('en-US', { maximumFractionDigits: 3 })

export function formatNumber(value: number): string {
  return numbers.format(value)
}

/** A clause as a sentence: with a capital and a full stop. */
export function sentence(clause: string): string {
  return `${clause.charAt(0).toUpperCase()}${clause.slice(1)}.`
}

/** `1 check`, `2 checks`, `1,204 checks`. The plural is the singular with an s unless given. */
export function plural(count: number, singular: string): string {
  return `${formatNumber(count)} ${count === 1 ? singular : `${singular}s`}`
}

/** `1 more check`, `2 more checks`: of a plural, as lists leave them out. */
export function moreOf(left: number, many: string): string {
  const one = many.replace(/ies$/, 'y').replace(/s$/, '')
  return `${formatNumber(left)} more ${left === 1 ? one : many}`
}

/** `0.42 s`, `42.1 s`, `3 min 20 s`. */
export function formatSeconds(seconds: number): string {
  if (seconds < 10) return `${formatNumber(Math.round(seconds * 100) / 100)} s`
  if (seconds < 120) return `${formatNumber(Math.round(seconds * 10) / 10)} s`
  const whole = Math.round(seconds)
  const minutes = Math.floor(whole / 60)
  if (minutes >= 120) return `${Math.floor(minutes / 60)} h ${minutes % 60} min`
  return whole % 60 === 0 ? `${minutes} min` : `${minutes} min ${whole % 60} s`
}

/** `2026-11-21 08:01:50 UTC`; the text itself where it is no date. */
export function formatUtc(isoTime: string): string {
  const time = new Date(isoTime)
  if (Number.isNaN(time.getTime())) return isoTime
  return `${time.toISOString().slice(0, 19).replace('T', ' ')} UTC`
}

/** The first `itemsMax` of a list joined by commas, and how many more there are. */
export function listed(items: readonly string[], itemsMax: number): string {
  const shown = items.slice(0, itemsMax).join(', ')
  const left = items.length - itemsMax
  return left > 0 ? `${shown} and ${formatNumber(left)} more` : shown
}

/** To the thousandth: what records keep of a measurement. */
export function rounded(value: number): number {
  return Math.round(value * 1000) / 1000
}

/** A target by name and address; by its address alone if it is named by its host. */
export function targetText({
  name,
  baseUrl,
}: {
  readonly name: string
  readonly baseUrl: string
}): string {
  return baseUrl.endsWith(`//${name}`) ? baseUrl : `${oneLine(name, 60)} at ${baseUrl}`
}
