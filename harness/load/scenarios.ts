import type { RequirementId } from '../../contract/requirements/index.ts'
import { HarnessError } from '../errors.ts'

/** A load scenario: its entry point is load/scenarios/<name>.k6.ts. */
export type LoadScenario = {
  readonly name: string
  readonly summary: string
  /** What it can decide. A run decides those that its streams can show. */
  readonly requirements: readonly RequirementId[]
}

export const LOAD_SCENARIOS = [
  {
    name: 'rate-limit-windows',
    summary:
      'offers less than, exactly and more than each budget, at the end of a window and right after it, on several endpoints, accounts and keys at once',
    requirements: [
      'RATE-01',
      'RATE-02',
      'RATE-03',
      'RATE-04',
      'RATE-05',
      'RATE-06',
      'RATE-07',
      'RATE-08',
      'RATE-09',
      'RATE-10',
      'RATE-11',
      'RATE-15',
    ],
  },
  {
    name: 'spend-contention',
    summary:
      'releases orders at once on one capped key and on several, retries what is contended until it is decided, and buys what is left to the last unit',
    requirements: [
      'BUSY-01',
      'BUSY-02',
      'BUSY-04',
      'BUSY-05',
      'BUSY-06',
      'BUSY-08',
      'CAP-01',
      'CAP-02',
      'CAP-13',
      'CAP-15',
      'IDEM-12',
    ],
  },
  {
    name: 'replay-storm',
    summary:
      'releases first-time copies of purchases at once, replays them while others are bought, and counts the orders of each reference',
    requirements: ['IDEM-03', 'IDEM-04', 'IDEM-05', 'IDEM-12'],
  },
  {
    name: 'unhide-budgets',
    summary:
      'reads several orders with unhide by many readers at once and by both names: pending, completed, and completed after their attempts',
    requirements: ['UNHIDE-05', 'UNHIDE-07', 'UNHIDE-10', 'UNHIDE-13', 'UNHIDE-14', 'UNHIDE-17'],
  },
] as const satisfies readonly LoadScenario[]

export type ScenarioName = (typeof LOAD_SCENARIOS)[number]['name']

/** The scenarios of these names, or all; E_USAGE names the ones there are. */
export function selectScenarios(
  names?: readonly string[],
): readonly (LoadScenario & { readonly name: ScenarioName })[] {
  if (names === undefined) return LOAD_SCENARIOS
  return names.map((name) => {
    const scenario = LOAD_SCENARIOS.find((each) => each.name === name)
    if (scenario) return scenario
    throw new HarnessError(
      'E_USAGE',
      `There is no load scenario ${JSON.stringify(name)}.`,
      `Choose from: ${LOAD_SCENARIOS.map((each) => each.name).join(', ')}.`,
    )
  })
}
