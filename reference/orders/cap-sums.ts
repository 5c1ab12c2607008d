/** How only faults add up what is used of a cap, and hold it against it. */
import type { ApiKey } from '../model/accounts.ts'
import type { Charge } from './charge.ts'
import type { FaultName, FaultSet } from '../faults/faults.ts'

const MINOR_PER_WHOLE = 100

const LARGE_MINOR = 200_000

const FLOATS = 'cap-adds-floats'

type Limited = { readonly limitMinor: number }

/** Only a fault keeps what is used as a floating-point number. */
export function fitsInFloats(
  faults: FaultSet,
  { id }: ApiKey,
  { amountMinor, limitMinor }: Pick<Charge, 'amountMinor'> & Limited,
): boolean {
  if (!faults.has(FLOATS)) return true
  const sum = (faults.lastMoment(FLOATS, id) ?? 0) + amountMinor / MINOR_PER_WHOLE
  return sum <= limitMinor / MINOR_PER_WHOLE
}

/** By what faults hold a cap of its own. */
const APART: readonly (readonly [FaultName, (charge: Charge) => string])[] = [
  ['cap-per-kind', ({ kind }) => kind],
  ['cap-per-product', ({ kind, unitMinor }) => (kind === 'shop' ? String(unitMinor) : kind)],
]

/** Whether a purchase fits by a fault, which holds it against something else than all that was used. */
export function fitsOtherwise(faults: FaultSet, key: ApiKey, charge: Charge & Limited): boolean {
  const { amountMinor, limitMinor } = charge
  if (faults.has('cap-compares-whole-units'))
    return inWhole(key.usedMinor + amountMinor) <= inWhole(limitMinor)
  if (faults.has('cap-passes-large') && amountMinor > LARGE_MINOR) return true
  const apart = APART.find(([name]) => faults.has(name))
  if (apart === undefined) return false
  const [name, groupOf] = apart
  const used = faults.lastMoment(name, `${key.id}|${groupOf(charge)}`) ?? 0
  return used + amountMinor <= limitMinor
}

function inWhole(minor: number): number {
  return Math.round(minor / MINOR_PER_WHOLE)
}

/** What faults keep besides the counter of the key. */
export function noteCharge(faults: FaultSet, { id }: ApiKey, charge: Charge): void {
  const amount = charge.amountMinor / MINOR_PER_WHOLE
  faults.noteMoment(FLOATS, id, (faults.lastMoment(FLOATS, id) ?? 0) + amount)
  for (const [name, groupOf] of APART) {
    const what = `${id}|${groupOf(charge)}`
    faults.noteMoment(name, what, (faults.lastMoment(name, what) ?? 0) + charge.amountMinor)
  }
}
