import { parseMoney, type Micros } from '../money.ts'

/** Digits, with separators only between digits: 1, 1.00, 1,000.00, 1 000,00, 1'000. */
const NUMERAL = /\d+(?:[.,'\u00a0\u202f ]\d+)*/g

/** Groups of three after the first, by one separator that is not the one of the fraction. */
const GROUPED = /^\d{1,3}(?:([.,'\u00a0\u202f ])\d{3})(?:\1\d{3})*(?:[.,]\d+)?$/

const MINOR_PER_UNIT = 100n
/** Parts of a unit, in millionths, that an amount may be rounded to: cents, and all that is finer. */
const ROUNDED_TO: readonly Micros[] = [10_000n, 1_000n, 100n, 10n, 1n]

/**
 * Whether a text names an amount, however it is written: with or without decimals and thousands separators, beside a currency sign or
 * code, or counted in hundredths. The interface fixes that a message carries amounts, not their format.
 */
export function namesAmount(text: string, amount: Micros): boolean {
  return amountsIn(text).some((stated) => isStatedAs(stated, amount))
}

/** Whether a service states an amount so: exactly, or with fractions of a cent rounded up or down to the decimals that it writes. */
export function isStatedAs(stated: Micros, amount: Micros): boolean {
  const apart = stated < amount ? amount - stated : stated - amount
  return apart === 0n || ROUNDED_TO.some((part) => stated % part === 0n && apart < part)
}

/** Many pieces may cost less than as many single ones; so much of their price is left at least. */
const BULK_PRICE_PARTS = 10n
/** They may cost more where the price of one piece was rounded down: so much for each. */
const CENT: Micros = 10_000n

/** Many pieces of one order, and what as many single ones cost. */
type Many = { readonly units: number; readonly whole: Micros }

/**
 * What each of these messages about one attempt names that may be the price of many pieces, if single ones cost something else. It is
 * more than is left, and no amount that is known to stand for something else.
 */
export function bulkPricesIn(
  messages: readonly string[],
  { units, whole }: Many,
  { left, known }: { readonly left: Micros; readonly known: readonly Micros[] },
): readonly Micros[] {
  const [first = [], ...others] = messages.map(amountsIn)
  return first.filter(
    (amount) =>
      amount !== whole &&
      amount <= whole + BigInt(units) * CENT &&
      amount * BULK_PRICE_PARTS >= whole &&
      amount > left &&
      !standsFor(amount, known) &&
      others.every((amounts) => amounts.includes(amount)),
  )
}

/**
 * What a message may name as attempted: the price of as many single pieces or, where it does not name that, the largest amount that may
 * be theirs. The headroom is less than what was attempted.
 */
export function attemptedIn(message: string, many: Many, limit: Micros): readonly Micros[] {
  const { whole } = many
  if (namesAmount(message, whole)) return [whole]
  const others = bulkPricesIn([message], many, { left: -1n, known: [limit] })
  return [whole, ...others.toSorted((a, b) => (a < b ? 1 : -1)).slice(0, 1)]
}

function standsFor(stated: Micros, known: readonly Micros[]): boolean {
  return known.some((amount) => isStatedAs(stated, amount))
}

/**
 * Whether two messages name a headroom that a purchase between them was taken off: an amount of the first, other than those known to
 * stand for something else, that is less by the price in the second.
 */
export function tracksHeadroom(
  before: string,
  after: string,
  { spent, known }: { readonly spent: Micros; readonly known: readonly Micros[] },
): boolean {
  const isOther = (stated: Micros): boolean => !standsFor(stated, known)
  const left = amountsIn(after).filter(isOther)
  return amountsIn(before)
    .filter(isOther)
    .some((amount) => left.some((stated) => isStatedAs(stated, amount - spent)))
}

/** What is known of a cap before its refusal is read. */
export type CapFigures = {
  readonly limit: Micros
  /** Price of one unit. */
  readonly unit: Micros
  /** What is believed to be left. */
  readonly left: Micros
  /** What may be named as attempted: many pieces may cost less than as many single ones. */
  readonly attempted: readonly Micros[]
}

/**
 * The headroom that a message names: the one that is believed in, or else the only amount that can be it. Where several could be, those
 * come first that differ from the cap by whole units, then whole units: round numbers may stand for something else. A message that names
 * the cap in units names the headroom in units too.
 */
export function headroomIn(
  message: string,
  { limit, unit, left, attempted }: CapFigures,
): Micros | undefined {
  const stands = readingsIn(message)
  if (left >= 0n && stands.flat().some((stated) => isStatedAs(stated, left))) return left
  // A whole number is also read as hundredths: that of a known amount says nothing.
  const known = [...attempted, limit]
  const unknown = stands.filter((readings) => !readings.some((each) => standsFor(each, known)))
  const others = [...new Set(unknown.flat().filter((each) => each < limit))]
  const exact = others.map((each) => offByWholeUnits(each, limit, unit))
  const inUnits = amountsInUnits(message)
  const tiers = [
    others.filter((each, index) => each === exact[index]),
    exact.filter((each) => each !== undefined),
    others.filter((each) => each % unit === 0n),
    ...(inUnits.includes(limit) ? [others.filter((each) => inUnits.includes(each))] : []),
    others,
  ]
  const likely = tiers.find(({ length }) => length > 0) ?? []
  return likely.length === 1 ? likely[0] : undefined
}

/** The cap without so many whole units, if a message states it so: fractions of a cent may be rounded there. */
function offByWholeUnits(stated: Micros, limit: Micros, unit: Micros): Micros | undefined {
  const left = limit - ((limit - stated + unit / 2n) / unit) * unit
  return left >= 0n && isStatedAs(stated, left) ? left : undefined
}

/** Before a numeral, where it makes an amount negative. */
const MINUS = /(?:^|[\s:=(])[-\u2212]$/

/** The one amount of a message that stands for none of those known, if there is one: the most that it can be read as. */
export function otherAmountIn(message: string, known: readonly Micros[]): Micros | undefined {
  const [other, ...more] = [...message.slice(0, MESSAGE_LENGTH_MAX).matchAll(NUMERAL)]
    .map(({ 0: numeral, index }) => ({ amounts: amountsIn(numeral), index }))
    .filter(({ amounts }) => !amounts.some((amount) => standsFor(amount, known)))
  if (!other || more.length > 0) return undefined
  if (MINUS.test(message.slice(0, other.index))) return -(other.amounts[0] ?? 0n)
  return other.amounts.reduce<Micros | undefined>(
    (most, each) => (most === undefined || each > most ? each : most),
    undefined,
  )
}

/** How many numerals of a message stand for an amount. */
export function timesNamed(message: string, amount: Micros): number {
  return readingsIn(message).filter((readings) => readings.some((each) => isStatedAs(each, amount)))
    .length
}

/** A message that carries an amount does so here; a text of megabytes is none. */
const MESSAGE_LENGTH_MAX = 2_000

/** Every amount that the numerals of a text can be read as, in the order of the text. */
export function amountsIn(text: string): Micros[] {
  return readingsIn(text).flat()
}

/** Each numeral of a text in its first reading alone, in which a whole number counts units. */
function amountsInUnits(text: string): Micros[] {
  return numeralsIn(text).flatMap((numeral) =>
    writings(numeral)
      .slice(0, 1)
      .flatMap((first) => readingsOf(first).slice(0, 1)),
  )
}

function numeralsIn(text: string): string[] {
  return [...text.slice(0, MESSAGE_LENGTH_MAX).matchAll(NUMERAL)].map(([numeral]) => numeral)
}

/** The readings of each numeral of a text, as plain decimals: a whole number may count units or hundredths. */
function readingsIn(text: string): Micros[][] {
  return numeralsIn(text).flatMap((numeral) => [...new Set(writings(numeral))].map(readingsOf))
}

function readingsOf(decimal: string): Micros[] {
  // Binary fractions are written with noise, such as 65.10000000000001. As a number it is read without.
  const amount = parseMoney(decimal) ?? parseMoney(Number(decimal))
  if (amount === undefined) return []
  const isWhole = !decimal.includes('.') && amount % MINOR_PER_UNIT === 0n
  return isWhole ? [amount, amount / MINOR_PER_UNIT] : [amount]
}

/** A numeral as plain decimals: its last separator may be that of the fraction, or all of them group digits. */
function writings(numeral: string): string[] {
  const digits = numeral.replaceAll(/\D/g, '')
  const last = Math.max(numeral.lastIndexOf('.'), numeral.lastIndexOf(','))
  const whole = numeral.slice(0, Math.max(last, 0))
  const decimal = `${whole.replaceAll(/\D/g, '')}.${numeral.slice(last + 1)}`
  if (!/\D/.test(numeral)) return [digits]
  // Numbers that a blank parts may be one or several.
  const apart = /\s/.test(numeral) ? numeral.split(/\s/).flatMap(writings) : []
  if (GROUPED.test(numeral)) {
    const fractions = last > 0 && /^\d+$/.test(numeral.slice(last + 1)) ? [decimal] : []
    const whole = /[^\d]\d{3}$/.test(numeral) ? [digits] : []
    return [...whole, ...fractions, ...apart]
  }
  // No grouping fits: a fraction where there is one separator, else numbers that only stand side by side.
  return last > 0 && !/\D/.test(whole) ? [decimal] : [...numeral.split(/\D/), ...apart]
}
