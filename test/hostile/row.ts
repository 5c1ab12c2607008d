/** One probe: something that is hostile, and what the run has to end as. */
import { expect } from 'vitest'
import type { RunRecord } from '../../schemas/generated/run-record.ts'
import { run, type Command, type Ended } from '../verdict/command-line.ts'
import { runHere, run as runInTurn } from '../verdict/here.ts'

/** What a probe is pointed at: the parameters that name it, and its environment, unless it is carried out beside others. */
export type Against = AsyncDisposable & {
  readonly parameters: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** What is left where the run wrote to. */
  readonly left?: () => Promise<readonly string[]>
}

type Told = { readonly [Field in keyof RunRecord]?: unknown }

export type Row = {
  /** Numbers of the probes that it repeats, in the table of a hundred. */
  readonly probes: readonly number[]
  readonly what: string
  readonly against: () => Promise<Against>
  /** Default: conformance. */
  readonly command?: Command
  readonly parameters?: readonly string[]
  /**
   * `process`: where only a process of its own gives the answer (signals, streams, modules). `turn`: alone in this one, with its
   * environment. Default: beside others, with the demo keys.
   */
  readonly by?: 'process' | 'turn'
  readonly exit: number
  /** What the terminal says: the cause and what to do. */
  readonly says: readonly RegExp[]
  /** What the record holds (toMatchObject). `none`: nothing was sent, so there is none. */
  readonly record: 'none' | Told
  /** Why this machine cannot carry it out. */
  readonly lacks?: string | undefined
  readonly also?: (
    ended: Ended,
    record: RunRecord | undefined,
    against: Against,
  ) => void | Promise<void>
}

/** Carries a probe out and holds all that it left against the row. */
export async function hold(row: Row): Promise<void> {
  const { exit, says } = row
  await using against = await row.against()
  const ended = await carriedOut(row, against)
  const terminal = ended.out + ended.err
  expect(ended.code, terminal).toBe(exit)
  for (const sentence of says) expect(terminal).toMatch(sentence)
  await row.also?.(ended, await agreeing(row, ended), against)
}

function carriedOut(
  { command = 'conformance', parameters = [], by }: Row,
  against: Against,
): Promise<Ended> {
  const all = [...against.parameters, ...parameters]
  if (by === undefined) return runHere(command, all)
  return by === 'process' ? run(command, all, against.env) : runInTurn(command, all, against.env)
}

/** The record, which must agree with the exit code, with the terminal and with the other files. */
async function agreeing({ exit, record }: Row, ended: Ended): Promise<RunRecord | undefined> {
  if (record === 'none') {
    expect(ended.runs).toEqual([])
    return undefined
  }
  expect(ended.runs).toHaveLength(1)
  const written = await ended.record()
  expect(written.exitCode).toBe(exit)
  expect(written).toMatchObject(record)
  expect(ended.out).toContain(`(exit ${exit})`)
  const [, failures, errors] =
    /<testsuites [^>]*failures="(\d+)" errors="(\d+)"/.exec(await ended.file('junit.xml')) ?? []
  const isRed = Number(failures) + Number(errors) > 0
  expect(isRed).toBe(exit !== 0)
  expect(['pass', 'warn'].includes(written.verdict)).toBe(exit === 0)
  return written
}
