import { plural } from '../text.ts'

/**
 * How often a race has to be tried before "nothing went wrong" says something. A service that goes wrong in a burst with probability
 * p stays unseen in n of them with (1 - p) ** n. Only bursts whose requests met count (overlap.ts).
 */

/** Services that go wrong in every second burst, or more often, are what a race check promises to find. */
export const CHANCE = 0.5

/** At least so many of them are found. */
export const POWER = 0.95

/** Share of such services that so many bursts find. */
export function powerOf(bursts: number, chance = CHANCE): number {
  return 1 - (1 - chance) ** bursts
}

/** Bursts that it takes to find such a share of them. */
export function burstsFor(power = POWER, chance = CHANCE): number {
  return Math.ceil(Math.log1p(-power) / Math.log1p(-chance))
}

/** For findings and reasons: what so many bursts would have shown. */
export function powerText(bursts: number): string {
  const percent = (100 * powerOf(bursts)).toFixed(1)
  return `${plural(bursts, 'burst')} overlapped; so many find a service that goes wrong in every second burst with a probability of ${percent} %`
}
