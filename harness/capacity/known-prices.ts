import { HarnessError } from '../errors.ts'
import { readCatalogPrices } from '../gate/catalog-prices.ts'
import type { RunState } from '../gate/run-state.ts'
import { introduce, type Introducing } from '../gate/introduce.ts'
import { permissionOf } from '../gate/permission.ts'
import { confirmAtRest, restOf } from '../gate/rest-prices.ts'
import { OPEN_MODELS } from '../load/open-model/scenarios.ts'
import { sessionBuys } from '../load/attempts.ts'
import type { PurchasePermission } from '../purchases/purchase.ts'
import type { CapacityOptions } from './options.ts'

/**
 * What may still be bought. If a sum is permitted, one of each product that sessions buy is bought alone first. Every later order is held
 * against what that one was charged. Throws E_PRICE where a price is not known then.
 */
export async function purchasesLeft(
  {
    options: { run, requested, planOnly },
    runState,
  }: { readonly options: CapacityOptions; readonly runState: RunState },
  probing: Introducing,
): Promise<PurchasePermission | undefined> {
  const { target } = probing
  const permission = permissionOf(target, run)
  const { purchases } = permission
  const isBuying = OPEN_MODELS[requested.scenario].mix.some(({ kind }) => kind !== 'browse')
  if (!purchases?.spendMax || !isBuying || planOnly) return purchases
  const purchasables = sessionBuys(target)
  const abilities = purchasables.map(({ ability }) => ability)
  const { prices, hazards } = await readCatalogPrices(await introduce(probing), target, abilities)
  runState.hazards.push(...hazards)
  const { purchased, unconfirmed } = await confirmAtRest(probing, purchasables, purchases, prices)
  runState.bought(purchased, permission)
  const [first] = unconfirmed
  if (!first) return restOf(purchases, purchased)
  throw new HarnessError(
    'E_PRICE',
    `no step began: the price of the product ${first[0]} is not confirmed: ${first[1]}`,
    'Look up what the product costs, correct its unitPrice in the target file, and run again.',
  )
}
