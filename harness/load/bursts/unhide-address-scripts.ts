import type { PlannedRead, PlannedStep } from '../../../load/protocol/bursts.ts'
import { alternate, buy, MEET_MS, range, release, RETRY_ROUNDS } from './unhide-steps.ts'
import { unhideBudgets, type UnhideTopic } from './unhide-topics.ts'
import type { ScriptDraft, BurstContext } from './burst-plan.ts'

/** The script that buys orders and reads them first. */
export const ONE_ADDRESS = 'one address' satisfies UnhideTopic
/** The script that reads the same orders afterwards: a virtual user of its own, which calls from another address. */
export const OTHER_ADDRESS = 'another address'

/** One edge can lie between the reads of one of them. */
const ORDERS = 3
/** The orders are bought and settled before the first of them is read. */
const FIRST_MS = 1500
const APART_MS = 300

/** Orders that are read from two addresses; none where the machine cannot call from more than one, or accounts are not made to order. */
export function addressScripts(context: BurstContext, firstScript: number): ScriptDraft[] {
  if (!context.hasLocalAddresses || !context.accounts.make) return []
  const { count } = unhideBudgets(context, ONE_ADDRESS).completed
  const references = range(ORDERS, 0)
  return [
    {
      name: ONE_ADDRESS,
      headroomUnits: [null],
      steps: [
        { do: 'warm', count: count + 1 },
        { do: 'meet', atMs: MEET_MS },
        buy(references.map((reference) => ({ reference, product: 0 }))),
        { do: 'retry-until-decided', rounds: RETRY_ROUNDS },
        ...references.flatMap((reference) => [
          meet(2 * reference),
          ...release('attempt', alternate(reference, count + 1)),
        ]),
      ],
    },
    {
      name: OTHER_ADDRESS,
      headroomUnits: [null],
      steps: [
        { do: 'warm', count: count + 1 },
        ...references.flatMap((reference) => [
          meet(2 * reference + 1),
          ...release(
            'attempt',
            range(count + 1, 0).map((): PlannedRead => {
              return { key: 0, reference, kind: 'by-reference', script: firstScript }
            }),
          ),
        ]),
      ],
    },
  ]
}

function meet(turn: number): PlannedStep {
  return { do: 'meet', atMs: FIRST_MS + turn * APART_MS }
}
