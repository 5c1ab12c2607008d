import type { RequirementId } from '../../../contract/requirements/index.ts'
import { HarnessError } from '../../errors.ts'

/** The k6 scripts, each load/scenarios/<name>.k6.ts. */
export type K6Script = 'rate-limit-windows' | 'bursts' | 'open-model'

export type LoadScenario = {
  readonly name: string
  readonly script: K6Script
  readonly summary: string
  /** What it can decide. A run decides those that its streams can show. */
  readonly requirements: readonly RequirementId[]
  /** Left out of the gate, unless it is asked for by name. */
  readonly loadOnly?: boolean
  /** It leaves windows of its accounts spent. */
  readonly usesWindowsUp?: boolean
}

const OF_WINDOWS = [
  'RATE-01',
  'RATE-05',
  'RATE-06',
  'RATE-07',
  'RATE-08',
] as const satisfies RequirementId[]

const OF_BROWSERS = [
  'RATE-02',
  'CAT-01',
  'CAT-09',
  'CAT-11',
  'CAT-14',
] as const satisfies RequirementId[]

const OF_PURCHASES = ['CAP-16', 'STATE-03'] as const satisfies RequirementId[]

const OF_BUYERS = [
  'ASYNC-03',
  'ASYNC-04',
  'GET-03',
  'GET-04',
  'GET-07',
  'IDEM-03',
  'IDEM-05',
  'IDEM-15',
  'STATE-02',
  'UNHIDE-14',
  'UNHIDE-22',
] as const satisfies RequirementId[]

const OF_SHOPPERS = [
  'CART-01',
  'CART-02',
  'CART-04',
  'CART-09',
  'GET-05',
] as const satisfies RequirementId[]

export const LOAD_SCENARIOS = [
  {
    name: 'rate-limit-windows',
    script: 'rate-limit-windows',
    summary:
      'sends less than, exactly and more than each budget, at the end of a window and right after it; on several endpoints, accounts and keys at once',
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
      'RATE-12',
      'RATE-13',
      'RATE-14',
      'RATE-15',
      'RATE-16',
      'RATE-17',
      'RATE-18',
      'RATE-19',
      'RATE-20',
      'RATE-21',
      'RATE-22',
      'RATE-23',
    ],
    usesWindowsUp: true,
  },
  {
    name: 'spend-contention',
    script: 'bursts',
    summary:
      'releases orders at once on one capped key and on several; retries what is contended until it is decided; buys what is left to the last unit; top-ups, eSIMs, gifts and checkouts at once on caps of their own',
    requirements: [
      'BUSY-01',
      'BUSY-02',
      'BUSY-03',
      'BUSY-04',
      'BUSY-05',
      'BUSY-06',
      'BUSY-07',
      'BUSY-08',
      'CAP-01',
      'CAP-02',
      'CAP-03',
      'CAP-04',
      'CAP-05',
      'CAP-11',
      'CAP-13',
      'CAP-15',
      'CAP-17',
      'CAP-18',
      'CAP-19',
      'CAP-20',
      'CAP-21',
      'IDEM-12',
    ],
  },
  {
    name: 'replay-storm',
    script: 'bursts',
    summary:
      'releases first-time copies of purchases at once; replays them while others are bought; counts the orders of each reference',
    requirements: ['BUSY-01', 'CART-04', 'IDEM-03', 'IDEM-05', 'IDEM-06', 'IDEM-08', 'IDEM-12'],
  },
  {
    name: 'unhide-budgets',
    script: 'bursts',
    summary:
      'reads several orders with unhide by many readers at once and by all names, pending ones and completed ones',
    requirements: [
      'RATE-05',
      'RATE-06',
      'RATE-07',
      'UNHIDE-05',
      'UNHIDE-07',
      'UNHIDE-10',
      'UNHIDE-13',
      'UNHIDE-14',
      'UNHIDE-23',
    ],
  },
  {
    name: 'browse',
    script: 'open-model',
    summary:
      'clients page through the catalog and look items up, arriving whether or not earlier ones are done',
    requirements: [...OF_WINDOWS, ...OF_BROWSERS],
    loadOnly: true,
  },
  {
    name: 'polling',
    script: 'open-model',
    summary:
      'clients buy, poll their orders at the stated interval until they are final, replay some purchases and read each order once in clear',
    requirements: [...OF_WINDOWS, ...OF_PURCHASES, ...OF_BUYERS],
    loadOnly: true,
  },
  {
    name: 'checkout',
    script: 'open-model',
    summary:
      'clients buy carts of several orders at the same moment, some on capped keys, replay some and read all of their orders',
    requirements: [
      ...OF_WINDOWS,
      'BUSY-01',
      'BUSY-02',
      'BUSY-06',
      'BUSY-08',
      'CAP-01',
      'CAP-04',
      'CAP-05',
      'CAP-10',
      'CAP-17',
      'CAP-21',
      ...OF_PURCHASES,
      ...OF_SHOPPERS,
    ],
    loadOnly: true,
  },
  {
    name: 'mixed',
    script: 'open-model',
    summary:
      'seven of ten clients browse, two buy and poll, one checks a cart out, side by side on the same keys',
    requirements: [...OF_WINDOWS, ...OF_BROWSERS, ...OF_PURCHASES, ...OF_BUYERS, ...OF_SHOPPERS],
    loadOnly: true,
  },
] as const satisfies readonly LoadScenario[]

export type ScenarioName = (typeof LOAD_SCENARIOS)[number]['name']

/** What runs beside the checks (--under-load): an open model that is no scenario of its own, but has a result of this name. */
export const UNDER_LOAD = 'under-load'

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

/**
 * The order in which scenarios run. Where they share accounts, one that uses windows up comes last: the next would be refused or wait
 * until they end.
 */
export function startOrder<T extends LoadScenario>(
  scenarios: readonly T[],
  { fresh }: { readonly fresh: boolean },
): readonly T[] {
  if (fresh) return scenarios
  return scenarios.toSorted((a, b) => Number(a.usesWindowsUp ?? 0) - Number(b.usesWindowsUp ?? 0))
}
