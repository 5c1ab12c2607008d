/** Which load scenario finds which fault of the reference service, as it was last looked at, and what load cannot find. */
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { RequirementId } from '../../contract/requirements/index.ts'
import type { WorkloadChoice } from '../../harness/load/open-model/workloads.ts'
import { LOAD_SCENARIOS, type ScenarioName } from '../../harness/load/shared/scenarios.ts'
import type { LoadResult } from '../../schemas/generated/run-record.ts'
import {
  FAULTS,
  FAULT_NAMES,
  type FaultFact,
  type FaultName,
} from '../../reference/faults/faults.ts'
import { virtualLoadOn } from './virtual-load.ts'
import { networkAtDefaults, virtualNetwork } from './virtual-network.ts'

/** Purchases, their races and their reads: what load is about. */
const AREAS = /^(ASYNC|BUSY|CAP|CART|IDEM|RATE|STATE|UNHIDE)-/

/** Faults of these areas. */
export const LOAD_FAULTS = FAULT_NAMES.filter((name) => AREAS.test(FAULTS[name].breaks))

export const SCENARIO_NAMES = LOAD_SCENARIOS.map(({ name }) => name)

/** Long enough for windows to be overstepped, and for a cap to be used up before its last window. */
const STRESS_SECONDS = 30

/** A scenario with a workload, by the name of its column. */
const RUNS = {
  ...(Object.fromEntries(
    SCENARIO_NAMES.map((scenario) => [scenario, { scenario, choice: { workload: 'smoke' } }]),
  ) as Record<ScenarioName, LoadFaultRun>),
  // At smoke nobody is refused by a window, and nothing lasts longer than one.
  'browse stress': {
    scenario: 'browse',
    choice: { workload: 'stress', seconds: STRESS_SECONDS },
  },
  'checkout stress': {
    scenario: 'checkout',
    choice: { workload: 'stress', seconds: STRESS_SECONDS },
  },
  // Windows as short as in the others are configured.
  'rate-limit-windows at defaults': {
    scenario: 'rate-limit-windows',
    choice: { workload: 'smoke' },
    atDefaults: true,
  },
  'unhide-budgets at defaults': {
    scenario: 'unhide-budgets',
    choice: { workload: 'smoke' },
    atDefaults: true,
  },
} as const satisfies Record<string, LoadFaultRun>

type LoadFaultRun = {
  readonly scenario: ScenarioName
  readonly choice: WorkloadChoice
  /** At the interface's defaults, on accounts that are not made to order; only for faults that show there alone. */
  readonly atDefaults?: true
}

export type RunName = keyof typeof RUNS

export const RUN_NAMES = Object.keys(RUNS) as readonly RunName[]

/** By scenario, the requirements that it calls broken; scenarios that call none are left out. */
export type LoadFaultRow = Readonly<Partial<Record<RunName, readonly string[]>>>
export type LoadFaultTable = Readonly<Record<string, LoadFaultRow>>

/** What one scenario does in virtual time. */
export async function carryOut(name: RunName, faults: readonly FaultName[]): Promise<LoadResult> {
  const { scenario, choice, atDefaults }: LoadFaultRun = RUNS[name]
  const network = atDefaults ? await networkAtDefaults({ faults }) : virtualNetwork({ faults })
  return virtualLoadOn(scenario, network, choice)
}

/** What one scenario calls broken. */
export async function brokenBy(name: RunName, fault: FaultName): Promise<string[]> {
  const { findings } = await carryOut(name, [fault])
  return findings
    .filter(({ verdict }) => verdict === 'fail' || verdict === 'warn')
    .map(({ requirement }) => requirement)
}

export async function rowOf(fault: FaultName): Promise<LoadFaultRow> {
  const row: Partial<Record<RunName, readonly string[]>> = {}
  for (const name of RUN_NAMES) {
    const { atDefaults: isAtDefaults }: LoadFaultRun = RUNS[name]
    const { atDefaults: showsAtDefaults }: FaultFact = FAULTS[fault]
    if (isAtDefaults && !showsAtDefaults) continue
    const broken = await brokenBy(name, fault)
    if (broken.length > 0) row[name] = broken
  }
  return row
}

/** Scenarios that name what the fault breaks. */
export function findersOf(fault: FaultName, row: LoadFaultRow): RunName[] {
  return RUN_NAMES.filter((name) => toldBy(fault, row[name]) !== undefined)
}

/** The requirement by which load tells a fault: that which it breaks, or another that it cannot help breaking. */
function toldBy(fault: FaultName, broken: readonly string[] = []): string | undefined {
  const { breaks, also = [] }: FaultFact = FAULTS[fault]
  const told = TOLD_BY[fault]
  return [breaks, ...(told ? [told] : []), ...also].find((each) => broken.includes(each))
}

/** Faults whose requirement load cannot look at, but one that they break as well. */
const TOLD_BY: Readonly<Partial<Record<FaultName, RequirementId>>> = {
  'cap-refusal-suspends-key': 'BUSY-06',
  'cap-refusals-suspend-key': 'BUSY-06',
  'unhide-polling-refused': 'UNHIDE-05',
  'cap-shared-by-capped-keys': 'CAP-01',
  'purchase-uncharged': 'CAP-13',
  'cap-charges-one-unit': 'CAP-13',
  'cap-refusal-leaks-reservation': 'CAP-01',
  'check-bucket-throttles-creation': 'BUSY-07',
  'shape-checkout-reference': 'CART-02',
  'shape-checkout-order': 'CART-09',
  'cap-resets-with-window': 'CAP-21',
  'unhide-counter-per-client': 'UNHIDE-05',
  'cap-checkouts-answer-402': 'BUSY-06',
  'cap-checkouts-as-rate-limit': 'BUSY-08',
  'cap-per-kind': 'CAP-13',
  'cap-per-product': 'CAP-13',
  'listing-counted-as-filtered': 'RATE-03',
  'unhide-completed-once': 'UNHIDE-07',
  'unhide-child-shares-checkout': 'UNHIDE-13',
  'checkout-replay-charges': 'CAP-01',
  'replay-charges-again': 'CAP-01',
  'async-says-success': 'STATE-03',
  'contended-top-up-created': 'CAP-18',
  'contended-esim-leaks': 'CAP-11',
}

const FILE = path.join(import.meta.dirname, 'load-faults.json')
const PAGE = path.join(import.meta.dirname, '..', '..', 'docs', 'load-faults.md')

export function readTable(): LoadFaultTable {
  return JSON.parse(readFileSync(FILE, 'utf8')) as LoadFaultTable
}

export function readPage(): string {
  return readFileSync(PAGE, 'utf8')
}

export function writeTable(table: LoadFaultTable): void {
  const sorted = Object.fromEntries(Object.entries(table).toSorted(([a], [b]) => (a < b ? -1 : 1)))
  writeFileSync(FILE, `${JSON.stringify(sorted, undefined, 1)}\n`)
  writeFileSync(PAGE, pageOf(sorted))
}

/** The table for readers: by requirement, which fault breaks it and which scenarios name it. */
export function pageOf(table: LoadFaultTable): string {
  const sorted = LOAD_FAULTS.toSorted((a, b) =>
    `${FAULTS[a].breaks} ${a}` < `${FAULTS[b].breaks} ${b}` ? -1 : 1,
  )
  const found = sorted.filter((fault) => findersOf(fault, table[fault] ?? {}).length > 0)
  const others = sorted.filter((fault) => !found.includes(fault))
  const cell = (fault: FaultName, name: RunName): string => {
    const broken = table[fault]?.[name] ?? []
    const told = toldBy(fault, broken)
    if (told === undefined) return broken.length > 0 ? `(${broken.join(', ')})` : ''
    const more = broken.length - 1
    return `${told}${more > 0 ? ` +${more}` : ''}`
  }
  return `# Faults and the load scenarios that find them

Every fault of purchases, windows, contention, caps, replays and unhide budgets, switched on alone, against every load scenario in
virtual time. Written by \`npm run load:faults -- --write\`, compared by \`npm run load:faults -- --compare\`; the tests repeat the
scenario that finds each. A cell names the requirement that the scenario calls broken, and how many others; in brackets what it
calls broken instead of that of the fault; empty where it calls nothing broken. Scenarios run at \`--workload smoke\` where none is
named, in windows of two seconds. Faults that show at the interface's defaults alone are looked for there as well, on accounts that
are not made to order.

| requirement | fault | ${RUN_NAMES.join(' | ')} |
|---|---|${RUN_NAMES.map(() => '---').join('|')}|
${found
  .map(
    (fault) =>
      `| ${FAULTS[fault].breaks} | \`${fault}\` | ${RUN_NAMES.map((name) => cell(fault, name)).join(' | ')} |`,
  )
  .join('\n')}

${found.length} of ${sorted.length} faults are found by load. The checks find all ${sorted.length} at rest ([faults.md](faults.md)). Faults that checks find beside load
alone stand in [under-load.md](under-load.md). Most of those that load does not find show to one client without any load. Some show in what evidence does not keep: messages, voucher codes and balances. Some need purchases that
scenarios do not make:

${others.map((fault) => `- ${FAULTS[fault].breaks} \`${fault}\``).join('\n')}
`
}
