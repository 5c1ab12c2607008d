import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { ALL_CHECKS } from '../../conformance/registry.ts'
import { FAULT_NAMES } from '../../reference/faults/faults.ts'
import { FORMER_FAULTS } from '../../reference/faults/former-names.ts'
import type { MatrixRow } from './fault-matrix.ts'

const FILE = path.join(import.meta.dirname, '..', 'faults', 'matrix.json')

export type StoredRow = Omit<MatrixRow, 'fault' | 'undecided'>
export type StoredMatrix = Readonly<Record<string, StoredRow>>

/** The fault matrix as it was last reviewed. */
export function readMatrix(): StoredMatrix {
  return existsSync(FILE) ? (JSON.parse(readFileSync(FILE, 'utf8')) as StoredMatrix) : {}
}

/**
 * Rows of faults that were not run stay as they are. Those of faults that are gone do not, and faults that show only beside load
 * get none: the matrix is made without load.
 */
export function mergedMatrix(stored: StoredMatrix, rows: readonly MatrixRow[]): StoredMatrix {
  const added = rows.map(({ fault, undecided: _undecided, ...row }) => [fault, row] as const)
  const names = new Set<string>(FAULT_NAMES)
  return Object.fromEntries(
    [...Object.entries(stored), ...added].filter(([fault]) => names.has(fault)),
  )
}

export function writeMatrix(matrix: StoredMatrix): void {
  const sorted = Object.entries(matrix).toSorted(([a], [b]) => (a < b ? -1 : 1))
  // A line for each fault: what changed is seen by fault.
  const lines = sorted.map(([fault, row]) => ` ${JSON.stringify(fault)}: ${JSON.stringify(row)}`)
  writeFileSync(FILE, `{\n${lines.join(',\n')}\n}\n`)
  writeFileSync(TABLE, tableOf(matrix))
}

export function readTable(): string {
  return readFileSync(TABLE, 'utf8')
}

const TABLE = path.join(import.meta.dirname, '..', '..', 'docs', 'faults.md')

/** Checks that one line names. */
const NAMED_MAX = 4

/** The matrix for readers: by requirement, which fault breaks it and which checks notice. */
export function tableOf(matrix: StoredMatrix): string {
  const lines = Object.entries(matrix)
    .toSorted(([a, { breaks }], [b, other]) => (`${breaks} ${a}` < `${other.breaks} ${b}` ? -1 : 1))
    .map(([fault, row]) => `| ${row.breaks} | \`${fault}\` | ${noticed(row)} |`)
  return [
    '# Faults and the checks that notice them',
    '',
    'Every fault of the reference service, switched on alone, against every check. Written by `npm run faults -- --write`, compared by',
    '`npm run faults -- --compare`. A fault that breaks more than one requirement turns more than one check red.',
    '',
    '| requirement | fault | checks that turn red for it |',
    '|---|---|---|',
    ...lines,
    '',
    '## Former names',
    '',
    'Ids of checks that were merged into another one: options and lists of known failures still take them.',
    '',
    '| former id | check |',
    '|---|---|',
    ...FORMER_IDS.map(([former, id]) => `| \`${former}\` | ${id} |`),
    '',
    'Faults that were taken out, and those that break the same requirement now.',
    '',
    '| former fault | faults |',
    '|---|---|',
    ...Object.entries(FORMER_FAULTS).map(
      ([former, faults]) =>
        `| \`${former}\` | ${faults.join(', ') || 'none: the interface permits what it did'} |`,
    ),
    '',
  ].join('\n')
}

/** Ids of checks that were merged, with the check that takes their place. */
export const FORMER_IDS = ALL_CHECKS.flatMap(({ id, formerIds = [] }) =>
  formerIds.map((former) => [former, id] as const),
).toSorted(([a], [b]) => (a < b ? -1 : 1))

function noticed({ red, breaks }: StoredRow): string {
  const named = Object.keys(red).filter((id) => red[id]?.includes(breaks))
  const others = Object.keys(red).length - named.length
  const more = named.length > NAMED_MAX ? ` and ${named.length - NAMED_MAX} more` : ''
  const rest = others > 0 ? ` (${others} others for what follows from it)` : ''
  return `${named.slice(0, NAMED_MAX).join(', ')}${more}${rest}`
}
