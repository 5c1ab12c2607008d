/** The phases of a run in which a signal may come, each with a run that is in it for seconds. */
import { readdirSync, readFileSync } from 'node:fs'
import { k6AtHand } from '../support/k6.ts'
import { REQUESTS_SENT, start, startScript, type Running } from '../verdict/command-line.ts'
import { answering } from '../verdict/servers.ts'
import type { Against } from './row.ts'
import { ANSWERS } from './rows/answers.ts'
import { nothing, stranger } from './servers.ts'

export type Phase = {
  readonly name: string
  readonly against: () => Promise<Against>
  readonly begin: (against: Against) => Promise<Running>
  /** What the terminal says where the phase begins; undefined: it begins with the process. */
  readonly begins?: RegExp
  /** How long it lasts, at least: a signal comes within this. */
  readonly lastsMs: number
  /** No other test sends a signal in it. */
  readonly isHere?: true
  /** What this machine has not. */
  readonly lacks?: string | undefined
}

const conformance =
  (...parameters: readonly string[]): Phase['begin'] =>
  (against) =>
    start('conformance', [...against.parameters, ...parameters], against.env)

const load: Phase['begin'] = (against) =>
  start('load', [...against.parameters, '--window-seconds', '30'], against.env)

const CHECKS = ['--window-seconds', '8', '--only', 'auth,limits'] as const
const lacks = k6AtHand === undefined ? 'no k6' : undefined

export const PHASES: readonly Phase[] = [
  { name: 'start', against: nothing, begin: conformance(...CHECKS), lastsMs: 1_000 },
  {
    name: 'preflight of a target that does not answer',
    against: () => stranger(answering(() => {})),
    begin: conformance(...CHECKS),
    begins: /who it is/,
    lastsMs: 3_000,
    isHere: true,
  },
  {
    name: 'checks that begin',
    against: nothing,
    begin: conformance(...CHECKS),
    begins: /carries out/,
    lastsMs: 2_000,
  },
  {
    name: 'checks in flight',
    against: nothing,
    begin: conformance(...CHECKS),
    begins: /[1-9]\d* of \d+ checks ended/,
    lastsMs: 3_000,
  },
  ...ANSWERS.filter(({ by }) => by === 'process').map((row): Phase => ({
    name: `every answer is ${row.what}`,
    against: row.against,
    begin: conformance(...(row.parameters ?? [])),
    begins: /carries out/,
    lastsMs: 8_000,
  })),
  {
    name: 'a record of 100,000 findings',
    against: nothing,
    begin: () =>
      startScript('test/hostile/many-findings-child.ts', [
        '--only',
        'envelope',
        '--window-seconds',
        '2',
      ]),
    begins: /all findings are made/,
    lastsMs: 3_000,
    isHere: true,
  },
  {
    name: 'k6 begins',
    against: nothing,
    begin: load,
    begins: /runs .* with k6/,
    lastsMs: 2_000,
    lacks,
  },
  {
    name: 'k6 runs',
    against: nothing,
    begin: load,
    begins: REQUESTS_SENT,
    lastsMs: 5_000,
    lacks,
  },
]

/** The command lines that name a folder, as k6's name the temporary folder of its run. Of Linux. */
export function processesNaming(folder: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const line = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
        return line.includes(folder) ? [line] : []
      } catch {
        return []
      }
    })
}
