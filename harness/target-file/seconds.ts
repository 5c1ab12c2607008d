/** Seconds of a reported window. Whether a service gives a number, a number as text or a duration is not shown. */

const LENGTH_MAX = 40

const UNITS: Readonly<Record<string, number>> = {
  ms: 0.001,
  milliseconds: 0.001,
  s: 1,
  sec: 1,
  second: 1,
  seconds: 1,
  m: 60,
  min: 60,
  minute: 60,
  minutes: 60,
  h: 3600,
  hour: 3600,
  hours: 3600,
  d: 86_400,
  day: 86_400,
  days: 86_400,
}

const PART = /^(\d{1,9}(?:\.\d{1,9})?)\s?([a-z]{1,12})\s?/
const CLOCK = /^(\d{2}):([0-5]\d):([0-5]\d)$/

/** `60`, `"60"`, `"60s"`, `"1m0s"`, `"1 minute"`, `"PT1M"`, `"00:01:00"`; undefined where it is nothing of this. */
export function secondsIn(
  value: unknown,
  unit: 'seconds' | 'milliseconds' = 'seconds',
): number | undefined {
  const parts = unit === 'milliseconds' ? 1000 : 1
  if (typeof value === 'number') return value / parts
  if (typeof value !== 'string' || value.length > LENGTH_MAX) return undefined
  if (/^\d{1,9}(\.\d{1,3})?$/.test(value)) return Number(value) / parts
  const [, hours, minutes, seconds] = CLOCK.exec(value) ?? []
  if (hours !== undefined) return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)
  return sumOf(value.toLowerCase().replace(/^p(\d{1,3}d)?t?(?=\d|$)/, '$1'))
}

function sumOf(text: string): number | undefined {
  let sum: number | undefined
  for (let rest = text; rest !== '';) {
    const [part, amount, name = ''] = PART.exec(rest) ?? []
    const unit = UNITS[name]
    if (part === undefined || unit === undefined) return undefined
    sum = (sum ?? 0) + Number(amount) * unit
    rest = rest.slice(part.length)
  }
  return sum
}
