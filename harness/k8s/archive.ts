import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { INSTANCE_ENV } from '../../load/protocol/instances.ts'
import { PLAN_ENV } from '../../load/protocol/plan.ts'
import { HarnessError, usageError } from '../errors.ts'
import type { K6Binary } from '../load/k6/k6-version.ts'
import { filesOf } from '../load/prepared/prepared.ts'
import type { PreparedScenario } from '../load/prepared/types.ts'
import { archiveName, planPath } from './manifests.ts'

/** A ConfigMap holds no more. */
const ARCHIVE_BYTES_MAX = 1_048_576
/** k6 evaluates the script for its options, which asks for every key: any text will do. */
const NO_KEY = 'not-a-key'
const TIMEOUT_MS = 60_000

const run = promisify(execFile)

/**
 * Makes the archive of a prepared scenario with k6 and returns its bytes. No variable is kept in it. Throws E_K6_FAILED where k6 cannot
 * make it, E_USAGE where no ConfigMap could hold it.
 */
export async function makeArchive(
  scenario: PreparedScenario,
  directory: string,
  k6: K6Binary,
): Promise<Buffer> {
  const file = path.join(directory, archiveName(scenario))
  const env = {
    [PLAN_ENV.plan]: planPath(scenario),
    [INSTANCE_ENV.instances]: String(scenario.instances),
    ...Object.fromEntries(scenario.keys.map((key) => [key.env, NO_KEY])),
  }
  const given = Object.entries(env).flatMap(([name, value]) => ['-e', `${name}=${value}`])
  try {
    await run(
      k6.path,
      [
        'archive',
        '--no-color',
        '--quiet',
        '--exclude-env-vars',
        ...given,
        `--archive-out=${file}`,
        path.join(directory, filesOf(scenario.name).bundle),
      ],
      { timeout: TIMEOUT_MS, env: { ...process.env, K6_AUTO_EXTENSION_RESOLUTION: 'false' } },
    )
  } catch (cause) {
    throw new HarnessError(
      'E_K6_FAILED',
      `k6 could not make the archive of ${scenario.name}: ${(cause as Error).message}`,
      'Look at what k6 says; the prepared run itself is complete and can be carried out by hand.',
      { cause },
    )
  }
  const archive = await readFile(file)
  if (archive.byteLength <= ARCHIVE_BYTES_MAX) return archive
  throw usageError(
    `the archive of ${scenario.name} has ${archive.byteLength} bytes, a ConfigMap holds ${ARCHIVE_BYTES_MAX}`,
    'Put the archive on a volume, and name it with script.volumeClaim in a TestRun of your own.',
  )
}
