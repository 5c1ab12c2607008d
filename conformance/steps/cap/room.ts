/**
 * Units of each order of a volley, by the room that is left: so many that one order fits, while the race still lacks volleys or much is
 * left (every second winner then overspends); later so few that about half of the volley fits.
 */
export function unitsOfVolley(unitsLeft: number, volleySize: number, isLacking = false): number {
  if (isLacking || unitsLeft >= 2 * volleySize) return (unitsLeft >> 1) + 1
  return Math.max(1, Math.floor(unitsLeft / (volleySize >> 1)))
}

/** Units that so many volleys take in each of which one order fits, with those that are to stay. */
export function unitsOfVolleys(volleys: number, unitsStay = 0): number {
  return 2 ** volleys * (unitsStay + 1) - 1
}
