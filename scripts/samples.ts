/** `npm run samples`: makes the runs under reports/samples/ again, each by the command line that anybody would use. */
import { spawnSync } from 'node:child_process'
import { mkdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { endSoon } from './end-soon.ts'

const ROOT = path.dirname(import.meta.dirname)
const SAMPLES = path.join(ROOT, 'reports', 'samples')

/** A service that can do 40 requests per second. */
const PACED = '--workers 1 --service-ms 25 --start-rate 10 --max-seconds 240 --max-cpu 100'

/** Small selections: a sample is there to be looked at. */
const RUNS: readonly (readonly [name: string, exitCode: number, ...args: string[]])[] = [
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

await mkdir(SAMPLES, { recursive: true })
for (const [name, exitCode, command, ...args] of RUNS) {
  const dir = path.join(SAMPLES, name)
  await rm(dir, { recursive: true, force: true })
  const reports = path.join(ROOT, 'reports', 'making-samples')
  const script = path.join(ROOT, 'scripts', `${command}.ts`)
  const { status } = spawnSync(
    process.execPath,
    [script, ...args, '--run-dir', dir, '--reports', reports],
    { stdio: 'inherit', cwd: ROOT },
  )
  await rm(reports, { recursive: true, force: true })
  if (status === exitCode) continue
  console.error(`The sample ${name} ended with ${status}, ${exitCode} was expected.`)
  process.exitCode = 1
}
endSoon()
