/**
 * Units of each order of a volley, by the room that is left: so many that one order fits while much is left (every second winner then
 * overspends), later so few that about half of the volley fits.
 */
export function unitsOfVolley(unitsLeft: number, volleySize: number): number {
  if (unitsLeft >= 2 * volleySize) return (unitsLeft >> 1) + 1
  return Math.max(1, Math.floor(unitsLeft / (volleySize >> 1)))
}
