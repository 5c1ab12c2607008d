import type { Micros } from '../../../harness/money.ts'

/**
 * Units of each order of a burst, by the room that is left: so many that one order fits, while the race still lacks bursts or much is
 * left (every second winner then overspends); later so few that about half of the burst fits.
 */
export function unitsOfBurst(unitsLeft: number, burstSize: number, isLacking = false): number {
  if (isLacking || unitsLeft >= 2 * burstSize) return (unitsLeft >> 1) + 1
  return Math.max(1, Math.floor(unitsLeft / (burstSize >> 1)))
}

/** The same by prices: pieces of a large order may cost less each than a single one, so that two of half of the room would fit. */
export function unitsByPrices(
  {
    left,
    unit,
    cheapest,
  }: { readonly left: Micros; readonly unit: Micros; readonly cheapest: Micros },
  burstSize: number,
  isLacking?: boolean,
): number {
  const units = unitsOfBurst(Number(left / cheapest), burstSize, isLacking)
  return Math.min(units, Number(left / unit))
}

/** Units that so many bursts take, if one order fits in each, with those that are to stay. */
export function unitsOfBursts(bursts: number, unitsStay = 0): number {
  return 2 ** bursts * (unitsStay + 1) - 1
}
