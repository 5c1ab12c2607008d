/** What purchases took of a cap that lasts, read from the next refusal. */
import { headroomIn, namesAmount } from '../../../harness/judge/spend-message.ts'
import { formatMoney, type Micros } from '../../../harness/money.ts'
import type { Exchange, RequirementId } from '../../engine/kit.ts'
import { messageOf, showAnswer, untested } from '../../engine/kit.ts'
import { needCapRefusal } from '../buyer.ts'
import type { CappedKey } from './capped-key.ts'

type Charged = {
  readonly name: string
  readonly bought: readonly Exchange[]
  readonly charge: Micros
  /** The same purchases once more. */
  readonly buyAgain?: () => Promise<readonly Exchange[]>
}

/** A refusal names what is left: with the charge taken off, or as if nothing of it had been bought. */
export async function expectStatedLeft(
  cappedKey: CappedKey,
  requirement: RequirementId,
  { name, bought, charge, buyAgain }: Charged,
): Promise<boolean> {
  const { context, left } = cappedKey
  // Refused whether the purchases were charged or not.
  const units = cappedKey.unitsOver(left + charge)
  const refused = needCapRefusal(await cappedKey.buy(units))
  const isCharged = namesAmount(messageOf(refused), left)
  const exchanges = [...bought, refused]
  if (!isCharged && !namesAmount(messageOf(refused), left + charge)) {
    const stated = statedBy(cappedKey, units, refused)
    const taken = stated === undefined ? undefined : left + charge - stated
    const again =
      stated !== undefined && buyAgain && stated > charge && isOtherThan(charge, taken)
        ? await takenAgain(cappedKey, { stated, charge, buyAgain })
        : undefined
    // Others do not take the same amount twice; a wrong charge is.
    if (taken === undefined || again?.taken !== taken)
      untested(unexpectedLeft(stated, { left, refused }))
    exchanges.push(...again.exchanges)
  }
  return context.expect(requirement).that(`${name} is taken off what is left of the cap`, {
    holds: isCharged,
    expected: `the next refusal says that ${formatMoney(left)} is left`,
    observed: messageOf(refused),
    exchanges,
  })
}

/** By more than the rounding of prices explains: a quarter. */
function isOtherThan(charge: Micros, taken: Micros | undefined): boolean {
  return taken !== undefined && (4n * taken >= 5n * charge || 4n * taken <= 3n * charge)
}

/** What the same purchases take of the cap when they are made once more. */
async function takenAgain(
  cappedKey: CappedKey,
  { stated, charge, buyAgain }: Required<Pick<Charged, 'charge' | 'buyAgain'>> & { stated: Micros },
): Promise<{ readonly taken: Micros | undefined; readonly exchanges: readonly Exchange[] }> {
  const bought = await buyAgain()
  const units = cappedKey.unitsOver(cappedKey.left + 2n * charge)
  const refused = needCapRefusal(await cappedKey.buy(units))
  const left = statedBy(cappedKey, units, refused)
  const taken = left === undefined ? undefined : stated - left
  return { taken, exchanges: [...bought, refused] }
}

function statedBy(cappedKey: CappedKey, units: number, refused: Exchange): Micros | undefined {
  const { limit, unit } = cappedKey
  const attempted = [cappedKey.amountOf(units)]
  return headroomIn(messageOf(refused), { limit, unit, left: -1n, attempted })
}

/** Why a refusal shows no charge: it says nothing that can be read, or another headroom, as after purchases that others made. */
function unexpectedLeft(
  stated: Micros | undefined,
  { left, refused }: { readonly left: Micros; readonly refused: Exchange },
): string {
  return stated === undefined
    ? `no headroom can be read from ${showAnswer(refused)}`
    : `the next refusal says that ${formatMoney(stated)} is left, and the prices leave ${formatMoney(left)}: others may buy with this key, or a cancelled order may have freed an amount. Run this check alone, with a key of role capped that nobody else uses`
}
