import { formatMoney, type Micros } from '../../../harness/money.ts'
import type { CheckContext, MovedByOthers, RequirementId } from '../../engine/kit.ts'
import { openCappedKey } from './capped-key.ts'

/** What purchases of others on the same capped key can break. */
export function capMovedByOthers(...requirements: readonly RequirementId[]): MovedByOthers {
  return { requirements, watch: watchCap }
}

/** Two refusals side by side show what a refusal itself takes, a third one what others took meanwhile. */
async function watchCap(context: CheckContext, ms: number): Promise<string | undefined> {
  using cappedKey = await openCappedKey(context)
  // A purchase of ours may be needed to tell a refusal of the cap from one of a window.
  const look = async (): Promise<Micros | undefined> => {
    const { stated } = await cappedKey.statedLeft()
    return stated === undefined ? undefined : stated - cappedKey.left
  }
  const before = await look()
  const first = await look()
  await context.wait('purchases of others with the same key', ms)
  const last = await look()
  if (before === undefined || first === undefined || last === undefined) return undefined
  const taken = first - last - (before - first)
  return taken === 0n
    ? undefined
    : `${formatMoney(taken)} of the cap were used up within ${Math.round(ms / 1000)} s in which this run bought nothing`
}
