/** `npm run samples`: makes the runs under reports/samples/ again, each by the command line that anybody would use. */
import { spawnSync } from 'node:child_process'
import { mkdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { readPage } from '../harness/command-line.ts'
import { command } from './command.ts'
import { SAMPLES_PAGE } from './developer-pages.ts'

const ROOT = path.dirname(import.meta.dirname)
const SAMPLES = path.join(ROOT, 'reports', 'samples')

/** A service that can do 40 requests per second. */
const PACED = '--workers 1 --service-ms 25 --start-rate 10 --max-seconds 240 --max-cpu 100'

type Run = readonly [name: string, exitCode: number, script: string, ...args: string[]]

/** Small selections: a sample is there to be looked at. */
const RUNS: readonly Run[] = [
  ['pass', 0, 'conformance', '--only', 'auth.missing-key,auth.revoked-key,limits.window-listing'],
  [
    'failure',
    1,
    'conformance',
    '--only',
    'auth.missing-key,auth.revoked-key,auth.revoked-forms',
    '--fault',
    'revoked-key-accepted',
  ],
  [
    'load',
    0,
    'load',
    ...'--scenario replay-storm,browse --workload steady --seconds 20'.split(' '),
    '--goal',
    'listServices p95=500ms',
    '--goal',
    'errors=1%',
  ],
  ['capacity', 0, 'capacity', ...PACED.split(' ')],
]

await command(SAMPLES_PAGE, async ({ argv }) => {
  readPage(SAMPLES_PAGE, argv)
  await mkdir(SAMPLES, { recursive: true })
  let missed = 0
  for (const run of RUNS) if (!(await makeSample(run))) missed++
  return missed === 0 ? 0 : 1
})

/** Whether the run ended as it must. */
async function makeSample([name, exitCode, script, ...args]: Run): Promise<boolean> {
  const dir = path.join(SAMPLES, name)
  await rm(dir, { recursive: true, force: true })
  const reports = path.join(ROOT, 'reports', 'making-samples')
  const { status } = spawnSync(
    process.execPath,
    [path.join(ROOT, 'scripts', `${script}.ts`), ...args, '--run-dir', dir, '--reports', reports],
    { stdio: 'inherit', cwd: ROOT },
  )
  await rm(reports, { recursive: true, force: true })
  if (status !== exitCode)
    console.error(`The sample ${name} ended with ${status}, ${exitCode} was expected.`)
  return status === exitCode
}
