/** Runs our own command line as a child process, the way a CI job does, and reads everything that it leaves. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { expect } from 'vitest'
import { validateDocument } from '../../harness/schema/validate.ts'
import type { EndingSignal } from '../../harness/signals.ts'
import type { RunRecord } from '../../schemas/generated/run-record.ts'

const ROOT = path.join(import.meta.dirname, '..', '..')

export type Command = 'gate' | 'conformance' | 'load' | 'capacity' | 'plan'

export type Ended = {
  readonly code: number | null
  readonly out: string
  readonly err: string
  /** Names of the runs that were written. */
  readonly runs: readonly string[]
  /** Text of a file of the one run. */
  file(name: string): Promise<string>
  /** The one record, which must hold against its schema. */
  record(): Promise<RunRecord>
}

export type Running = AsyncDisposable & {
  readonly pid: number
  readonly reportsDir: string
  readonly tempDir: string
  /** Resolves when the terminal has shown the text. */
  shows(text: string | RegExp): Promise<void>
  signal(name: EndingSignal | 'SIGKILL'): void
  readonly ended: Promise<Ended>
}

/** Progress of k6 that has sent a request: not the least number that is planned. */
export const REQUESTS_SENT = /(?<!least )\b[1-9]\d* (?:of at least \d+ )?requests sent/

/** What a child inherits: nothing that names a target, and nothing of the vitest that runs us. */
export function environment(extra: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(
    ([name]) =>
      !/^(?:ORDERING_|VITEST|NODE_ENV|NODE_OPTIONS|TEST$|MODE$|DEV$|PROD$|SSR$|BASE_URL$)/.test(
        name,
      ),
  )
  return { ...Object.fromEntries(kept), NO_COLOR: '1', ...extra }
}

/** Starts a command with a reports and a temporary directory of its own. It is killed when the test leaves its scope. */
export function start(
  command: Command,
  parameters: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Running> {
  return startScript(path.join('scripts', `${command}.ts`), parameters, env)
}

/** As `start`, with any script that takes the options of a run. */
export async function startScript(
  script: string,
  parameters: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Running> {
  const home = await mkdtemp(path.join(os.tmpdir(), 'verdict-'))
  const reportsDir = path.join(home, 'reports')
  const tempDir = await mkdtemp(path.join(home, 'tmp-'))
  const child = spawn(process.execPath, [script, '--reports', reportsDir, ...parameters], {
    cwd: ROOT,
    env: environment({ TMPDIR: tempDir, ...env }),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output = collect(child)
  const ended = once(child, 'close').then(async ([code]) => ({
    code: code as number | null,
    out: output.out(),
    err: output.err(),
    ...(await leftIn(reportsDir)),
  }))
  return {
    pid: child.pid ?? 0,
    reportsDir,
    tempDir,
    shows: (text) => output.shows(text),
    signal: (name) => void child.kill(name),
    ended,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await ended
      await rm(home, { recursive: true, force: true })
    },
  }
}

/** Loaded into the child before our own code; nothing in production knows of it. */
export function preload(code: string): Record<string, string> {
  return {
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(
      `import { isMainThread } from 'node:worker_threads'; ${code}`,
    )}`,
  }
}

/** For `preload`: in the main thread, once it has said that it carries the checks out. */
export function whenCarriedOut(code: string): string {
  return `if (isMainThread) {
    const { write } = process.stderr
    process.stderr.write = function (text, ...others) {
      if (/carries out/.test(text)) setTimeout(() => { ${code} })
      return write.call(this, text, ...others)
    }
  }`
}

/** Runs a command to its end. */
export async function run(
  command: Command,
  parameters: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  await using running = await start(command, parameters, env)
  const ended = await running.ended
  const [name] = ended.runs
  // The files go with the directory, so what tests look at is read now.
  const files = new Map<string, string>()
  for (const file of name === undefined ? [] : await readdir(path.join(running.reportsDir, name)))
    files.set(file, await ended.file(file))
  const file = (wanted: string): Promise<string> => Promise.resolve(files.get(wanted) ?? '')
  return { ...ended, file, record: async () => validRecord(await file('run.json')) }
}

/** Names of the runs below a directory, without the link to the last of them. */
export async function runsIn(reportsDir: string): Promise<string[]> {
  const names = await readdir(reportsDir).catch(() => [])
  return names.filter((name) => name !== 'latest')
}

async function leftIn(reportsDir: string): Promise<Pick<Ended, 'runs' | 'file' | 'record'>> {
  const runs = await runsIn(reportsDir)
  const file = (name: string): Promise<string> =>
    readFile(path.join(reportsDir, runs[0] ?? 'no-run', name), 'utf8')
  return { runs, file, record: async () => validRecord(await file('run.json')) }
}

/** A record that holds against its schema. */
export function validRecord(text: string): RunRecord {
  const record = JSON.parse(text) as RunRecord
  expect(validateDocument('run-record', record)).toEqual([])
  return record
}

/** What every run that is not a pass has in common: no file and no line of it is green. */
export async function expectNotGreen(ended: Ended, exitCode: number): Promise<RunRecord> {
  expect(ended.code, ended.out + ended.err).toBe(exitCode)
  expect(ended.runs).toHaveLength(1)
  const record = await ended.record()
  expect(record.exitCode).toBe(exitCode)
  expect(['pass', 'warn']).not.toContain(record.verdict)
  expect(record.nextStep).toMatch(/\w+ \w+.*\.$/)
  expect(ended.out).toContain(`(exit ${exitCode})`)
  expect(ended.out).toContain('Next: ')
  const junit = await ended.file('junit.xml')
  const [, failures, errors] = /<testsuites [^>]*failures="(\d+)" errors="(\d+)"/.exec(junit) ?? []
  expect(Number(failures) + Number(errors)).toBeGreaterThan(0)
  return record
}

/** Refused before anything happened: a sentence with the fix on the terminal, and no run. */
export function expectRefused(ended: Ended, exitCode: number, sentence: RegExp): void {
  expect(ended.code, ended.out + ended.err).toBe(exitCode)
  expect(ended.err).toMatch(sentence)
  expect(ended.err).toContain(`Exit ${exitCode}.`)
  expect(ended.runs).toEqual([])
}

type Output = { out(): string; err(): string; shows(text: string | RegExp): Promise<void> }

function collect(child: ChildProcess): Output {
  const texts = { out: '', err: '' }
  const waiting: { text: string | RegExp; resolve: () => void; reject: (cause: Error) => void }[] =
    []
  const isShown = (text: string | RegExp): boolean => {
    const all = texts.err + texts.out
    return typeof text === 'string' ? all.includes(text) : text.test(all)
  }
  const look = (): void => {
    for (const each of waiting) if (isShown(each.text)) each.resolve()
  }
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    texts.out += text
    look()
  })
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    texts.err += text
    look()
  })
  child.once('close', () => {
    for (const each of waiting)
      each.reject(new Error(`ended without showing ${String(each.text)}: ${texts.out}${texts.err}`))
  })
  return {
    out: () => texts.out,
    err: () => texts.err,
    shows: (text) =>
      new Promise((resolve, reject) => {
        waiting.push({ text, resolve, reject })
        look()
      }),
  }
}
