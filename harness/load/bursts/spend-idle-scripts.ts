import type { PlannedPurchase, PlannedStep } from '../../../load/protocol/bursts.ts'
import type { Target } from '../../target-file/target.ts'
import { purchasableOf, type Purchasable, type ScriptDraft } from './burst-plan.ts'

/** Room of their caps: for a purchase, what follows it, and the boundary of the cap. */
const HEADROOM_UNITS = 6
/** So many that what each would use up shows at the boundary of the cap. */
const TIMES = 3
const RETRY_ROUNDS = 1

/** The first is forbidden by the interface, whatever the target's bodies are like. */
const NOT_VALID = { ordersType: 'no-such-type' } as const

type IdleScript = { readonly script: ScriptDraft; readonly purchasable: Purchasable }

/** Keys on which orders that are not valid, and checks of top-ups, are sent between purchases: they use nothing of the cap up. */
export function idleScripts(target: Target, firstProduct: number, atMs: number): IdleScript[] {
  const voucher = purchasableOf(target, 'voucher', 1)
  const check = purchasableOf(target, 'dtu', 1, 'dtu-check')
  const kinds = [
    { name: 'orders that are not valid', kind: 'invalid', purchasable: voucher },
    { name: 'checks of top-ups', kind: 'check', purchasable: check },
  ] as const
  return kinds
    .flatMap(({ name, kind, purchasable }) =>
      'lacks' in purchasable ? [] : [{ name, kind, purchasable }],
    )
    .map(({ name, kind, purchasable }, index): IdleScript => {
      const product = firstProduct + index
      return {
        script: scriptOf(
          name,
          { do: 'send-non-purchase', kind, key: 0, product, reference: 1, count: TIMES },
          atMs,
        ),
        purchasable: kind === 'invalid' ? { ...purchasable, overrides: NOT_VALID } : purchasable,
      }
    })
}

function scriptOf(name: string, tries: PlannedStep, atMs: number): ScriptDraft {
  const first: PlannedPurchase = { key: 0, reference: 0, product: 0, units: 1 }
  return {
    name: `beside ${name}`,
    headroomUnits: [HEADROOM_UNITS],
    steps: [
      { do: 'warm', count: 1 },
      { do: 'meet', atMs },
      { do: 'buy', phase: 'spare', purchases: [first] },
      { do: 'retry-until-decided', rounds: RETRY_ROUNDS },
      tries,
      { do: 'cap-boundary', key: 0, reference: 1 + TIMES },
    ],
  }
}
