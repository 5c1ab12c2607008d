/** Exact money: whole millionths of the currency's unit, as bigint. No rounding anywhere. */
export type Micros = bigint

const DECIMALS = 6
/** No amount takes more; reading digits takes time that grows with their square. */
const TEXT_LENGTH_MAX = 100
const DECIMAL_TEXT = /^(-?)(\d+)(?:\.(\d+))?$/

/** Reads a decimal amount, from text or from a JSON number. Undefined where it is none, or finer than a millionth. */
export function parseMoney(value: unknown): Micros | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined
  if (typeof value === 'string' && value.length > TEXT_LENGTH_MAX) return undefined
  const match = DECIMAL_TEXT.exec(typeof value === 'number' ? decimalText(value) : value.trim())
  if (!match) return undefined
  const [, sign = '', whole = '', fraction = ''] = match
  const digits = fraction.replace(/0+$/, '')
  if (digits.length > DECIMALS) return undefined
  const micros = BigInt(whole + digits.padEnd(DECIMALS, '0'))
  return sign === '-' ? -micros : micros
}

/** JSON numbers such as 1e-7 or 0.1 + 0.2 print with an exponent or with noise; six decimals are what money may have. */
function decimalText(value: number): string {
  return Number.isFinite(value) ? value.toFixed(DECIMALS) : String(value)
}

/** Prints an amount without superfluous zeros, with two decimals at least. */
export function formatMoney(micros: Micros): string {
  const sign = micros < 0n ? '-' : ''
  const digits = (micros < 0n ? -micros : micros).toString().padStart(DECIMALS + 1, '0')
  const fraction = digits.slice(-DECIMALS).replace(/0+$/, '').padEnd(2, '0')
  return `${sign}${digits.slice(0, -DECIMALS)}.${fraction}`
}

const HUNDREDTH: Micros = 10_000n

/** The next whole hundredths. Caps are asked for so: not every control side takes finer amounts. */
export function inHundredths(micros: Micros): Micros {
  return ((micros + HUNDREDTH - 1n) / HUNDREDTH) * HUNDREDTH
}

/** How currency codes are written is not shown: `usd` and `840` are USD, too. */
export function currencyCode(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  const code = value.toUpperCase()
  return code === '840' ? 'USD' : code
}

/** Amounts with their currency, as `USD 12.50 and EUR 3.00`. */
export function moneyText(money: ReadonlyMap<string, Micros>): string {
  const amounts = [...money].map(([currency, micros]) => `${currency} ${formatMoney(micros)}`)
  return amounts.length === 0 ? 'nothing' : amounts.join(' and ')
}
