/** Money is counted in whole minor units (hundredths), so that sums and comparisons are exact. */
const DECIMAL = /^(\d{1,12})(?:\.(\d{1,2}))?$/

/** Reads `12.5` as 1250 minor units; undefined for anything that is not a plain decimal with at most two places. */
export function parseMoney(text: string): number | undefined {
  const match = DECIMAL.exec(text)
  if (match === null) return undefined
  const [, whole = '', fraction = ''] = match
  return Number(whole) * 100 + Number(fraction.padEnd(2, '0'))
}

/** Like `parseMoney`, for values that the program itself wrote. Throws RangeError. */
export function requireMoney(text: string): number {
  const minor = parseMoney(text)
  if (minor === undefined)
    throw new RangeError(`Got the amount ${JSON.stringify(text)}; expected a decimal like 12.50.`)
  return minor
}

/** Writes 1250 minor units as `12.50`; quarters of one take two digits more. */
export function formatMoney(minor: number): string {
  const sign = minor < 0 ? '-' : ''
  const absolute = Math.abs(minor)
  if (!Number.isInteger(absolute)) return `${sign}${moneyNumber(absolute).toFixed(4)}`
  return `${sign}${Math.floor(absolute / 100)}.${String(absolute % 100).padStart(2, '0')}`
}

/** The JSON number of an amount: the double nearest to the exact decimal. */
export function moneyNumber(minor: number): number {
  return minor / 100
}
