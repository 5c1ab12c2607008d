/** `npm run flakes`: repeats the tests that depend on real time, sockets, processes or k6, beside busy threads. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { readPage } from '../harness/command-line.ts'
import { usageError } from '../harness/errors.ts'
import { command } from './command.ts'
import { FLAKES_PAGE } from './developer-pages.ts'
import { dependsOnReality } from './flakes-files.ts'
import { busyThreads } from './threads.ts'

const ROOT = path.dirname(import.meta.dirname)

/** Of vitest's JSON report. */
type Report = {
  readonly numPassedTests: number
  readonly numPendingTests: number
  readonly testResults: readonly {
    readonly name: string
    readonly message: string
    readonly assertionResults: readonly {
      readonly fullName: string
      readonly status: string
      readonly failureMessages: readonly string[]
    }[]
  }[]
}

type Repetition = {
  readonly passed: number
  readonly skipped: number
  readonly failures: readonly Failure[]
}

type Failure = { readonly file: string; readonly test: string; readonly message: string }

await command(FLAKES_PAGE, async ({ argv }) => {
  const { values } = readPage(FLAKES_PAGE, argv)
  const tests = globSync('{bench,harness,conformance,load,reference,scripts,test}/**/*.test.ts', {
    cwd: ROOT,
  }).filter((file) => file.includes(values.only ?? '') && dependsOnReality(path.join(ROOT, file)))
  const [runs = 1, busy = 0, minutes = Infinity] = (['runs', 'busy', 'minutes'] as const).map(
    (name) => {
      const number = Number(values[name])
      if (number >= (name === 'runs' ? 1 : 0)) return number
      throw usageError(`Got --${name} ${values[name]}; expected a number.`)
    },
  )
  if (values.list || tests.length === 0) {
    console.log(tests.toSorted().join('\n'))
    return tests.length === 0 ? 2 : 0
  }
  await using _ = busyThreads(busy)
  return await repeat(tests, runs, performance.now() + minutes * 60_000)
})

const NO_REPORT = '{"numPassedTests":0,"numPendingTests":0,"testResults":[]}'

async function repeat(tests: readonly string[], runs: number, untilMs: number): Promise<number> {
  const failures: Failure[] = []
  let ended = 0
  for (; ended < runs && performance.now() < untilMs; ended++) {
    const startedMs = performance.now()
    const { failures: failed, passed, skipped } = await runOnce(tests)
    failures.push(...failed)
    const seconds = ((performance.now() - startedMs) / 1000).toFixed(0)
    console.log(
      `${ended + 1} of ${runs}: ${failed.length} failed, ${passed} passed, ${skipped} skipped in ${seconds} s (load ${os.loadavg()[0]?.toFixed(1)})`,
    )
    for (const { file, test, message } of failed) console.log(`  ${file} > ${test}\n    ${message}`)
  }
  console.log(`${ended} repetitions of ${tests.length} files, ${failures.length} failures`)
  for (const [file, all] of Map.groupBy(failures, (failure) => failure.file))
    console.log(`  ${all.length} × ${file}`)
  return failures.length > 0 || ended === 0 ? 1 : 0
}

/** What fails in no test, as a stray rejection does, counts too, and so does a vitest that leaves no report. */
async function runOnce(tests: readonly string[]): Promise<Repetition> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'flakes-'))
  const outputFile = path.join(folder, 'report.json')
  try {
    const child = spawn(
      'vitest',
      ['run', '--reporter=json', `--outputFile=${outputFile}`, ...tests],
      {
        cwd: ROOT,
        stdio: 'ignore',
      },
    )
    const [code] = (await once(child, 'close')) as [number | null]
    const text = await readFile(outputFile, 'utf8').catch(() => NO_REPORT)
    const report = JSON.parse(text) as Report
    const failures = failuresIn(report)
    if (code !== 0 && failures.length === 0)
      failures.push({ file: '(vitest)', test: '(all)', message: `vitest ended with ${code}` })
    return { passed: report.numPassedTests, skipped: report.numPendingTests, failures }
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** A file that could not be loaded has a message and no test. */
function failuresIn({ testResults }: Report): Failure[] {
  return testResults.flatMap(({ name, message, assertionResults }) => {
    const file = path.relative(ROOT, name)
    const failed = assertionResults
      .filter(({ status }) => status === 'failed')
      .map(({ fullName, failureMessages }) => ({
        file,
        test: fullName,
        message: failureMessages.join('\n').slice(0, 1_000),
      }))
    return message !== '' && failed.length === 0 ? [{ file, test: '(file)', message }] : failed
  })
}
