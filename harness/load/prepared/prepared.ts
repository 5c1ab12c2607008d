/** A prepared run: everything that k6 needs in a directory, to be carried out by hand or on other machines, and judged later. */
import { createHash, randomUUID } from 'node:crypto'
import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { keysOfFile } from '../../target-file/keys.ts'
import { HarnessError } from '../../errors.ts'
import { bundleScenario } from '../k6/bundle.ts'
import { K6_VERSION } from '../k6/k6-version.ts'
import {
  PREPARED_VERSION,
  type PrepareOptions,
  type Prepared,
  type PreparedScenario,
} from './types.ts'
import { readmeOf } from './readme.ts'
import type { LoadKey } from '../rate-limits/plan.ts'
import type { PlannedAttempt } from '../planned-attempt.ts'
import { planText } from '../k6/run.ts'
import { requireNoSecret, seal, sealAttempt, unseal, unsealAttempt } from './sealed.ts'
import { instancesFor } from '../k6/segments.ts'

const INDEX = 'prepared.json'
/** What the index was when it was written, as sha256sum writes it. */
const SEAL = 'prepared.sha256'

export const filesOf = (name: string): { bundle: string; plan: string; judge: string } => ({
  bundle: `${name}.bundle.js`,
  plan: `${name}.plan.json`,
  judge: `${name}.judge.json`,
})

/** Writes the directory and returns what was prepared, with the keys by the names that k6 looks for. Sends nothing. */
export async function writePrepared(
  options: PrepareOptions,
): Promise<{ readonly prepared: Prepared; readonly keys: Readonly<Record<string, string>> }> {
  const { directory, facts, harnessVersion } = options
  await requireEmpty(directory)
  const attempts = options.attempts.map(withOwnKeyNames)
  const keys = Object.assign({}, ...attempts.map(({ plan }) => plan.secrets)) as Record<
    string,
    string
  >
  const secrets = [...Object.values(keys), ...keysOfFile(facts.target).map(({ secret }) => secret)]
  const write = async (file: string, text: string): Promise<void> => {
    requireNoSecret(text, secrets)
    await writeFile(path.join(directory, file), text)
  }
  const scenarios: PreparedScenario[] = []
  for (const attempt of attempts) {
    const { plan } = attempt
    const files = filesOf(plan.scenario)
    const run = randomUUID().slice(0, 8)
    const text = planText(plan, run)
    await bundleScenario(plan.scenario, directory)
    await write(files.plan, text)
    const judge = sealAttempt(attempt)
    await write(files.judge, judge)
    scenarios.push({
      name: plan.scenario,
      run,
      instances: instancesFor(plan, options.instances),
      wallSecondsMax: plan.wallSecondsMax,
      keys: Object.entries(plan.secrets).map(([env, secret]) => ({
        env,
        from: sourceOf(attempt, secret),
      })),
      ...(plan.runtime && { runtime: plan.runtime }),
      planSha256: sha256(text),
      judgeSha256: sha256(judge),
    })
  }
  const prepared: Prepared = {
    version: PREPARED_VERSION,
    harnessVersion,
    k6Version: K6_VERSION,
    preparedAt: new Date().toISOString(),
    keysFrom: options.keysFile === undefined ? 'environment' : 'file',
    facts: { ...facts, target: { ...facts.target, credentials: {} } },
    scenarios,
  }
  const index = seal(prepared, keys)
  await write(INDEX, index)
  await write(SEAL, `${sha256(index)}  ${INDEX}\n`)
  await write('README.md', readmeOf(prepared, options))
  return { prepared, keys }
}

/** Names the keys after their scenario, so that those of all scenarios can stand side by side in one environment. */
function withOwnKeyNames<A extends PlannedAttempt>(attempt: A): A {
  const { plan } = attempt
  const own = `HARNESS_KEY_${plan.scenario.toUpperCase().replaceAll('-', '_')}_`
  const renamed = (text: string): string => text.replace(/^HARNESS_KEY_(?=\d+$)/, own)
  const file: unknown = JSON.parse(JSON.stringify(plan.file), (_, value: unknown) =>
    typeof value === 'string' ? renamed(value) : value,
  )
  const secrets = Object.fromEntries(
    Object.entries(plan.secrets).map(([name, secret]) => [renamed(name), secret]),
  )
  return { ...attempt, plan: { ...plan, file, secrets } }
}

function sourceOf(attempt: PlannedAttempt, secret: string): string {
  return keysOf(attempt).find((key) => key.secret === secret)?.env ?? ''
}

function keysOf(attempt: PlannedAttempt): readonly LoadKey[] {
  if (attempt.kind === 'open-model') return attempt.plan.keys
  const users = attempt.kind === 'windows' ? attempt.plan.streams : attempt.plan.scripts
  return users.flatMap(({ keys }) => keys)
}

/** A directory with anything in it could hold evidence of another run. */
async function requireEmpty(directory: string): Promise<void> {
  await mkdir(directory, { recursive: true })
  const found = await readdir(directory)
  if (found.length === 0) return
  throw new HarnessError(
    'E_USAGE',
    `${directory} is not empty: it holds ${found.slice(0, 3).join(', ')}`,
    'Name a directory that is new or empty: each prepared run has one of its own.',
  )
}

/** The index of a prepared run. Throws E_USAGE where the directory holds none, or one that was changed. */
export async function readPrepared(directory: string): Promise<Prepared> {
  const text = await readText(directory, INDEX)
  const { version, harnessVersion } = headOf(text)
  if (version !== PREPARED_VERSION)
    throw new HarnessError(
      'E_USAGE',
      `${directory} was prepared by version ${String(harnessVersion)} of the harness, in form ${String(version)}; expected is form ${PREPARED_VERSION}`,
      'Judge it with the version that prepared it, or prepare it anew.',
    )
  requireUnchanged(INDEX, text, (await readText(directory, SEAL)).split(' ')[0] ?? '')
  return unseal(text) as Prepared
}

function headOf(text: string): { readonly version?: unknown; readonly harnessVersion?: unknown } {
  try {
    return (JSON.parse(text) ?? {}) as object
  } catch {
    // A file that was cut off or edited out of form has no version that could be told.
    return {}
  }
}

function requireUnchanged(file: string, text: string, sealed: string): void {
  if (sha256(text) === sealed) return
  throw new HarnessError(
    'E_USAGE',
    `${file} was changed since it was prepared, so the evidence cannot be held against it`,
    'Put it back as it was, or prepare the run anew.',
  )
}

/** The planned run of a scenario, for its judge. Throws E_USAGE where what it is judged by is not what was prepared. */
export async function readAttempt(
  directory: string,
  { name, planSha256, judgeSha256 }: PreparedScenario,
): Promise<PlannedAttempt> {
  const files = filesOf(name)
  requireUnchanged(files.plan, await readText(directory, files.plan), planSha256)
  const judge = await readText(directory, files.judge)
  requireUnchanged(files.judge, judge, judgeSha256)
  return unsealAttempt(judge)
}

async function readText(directory: string, file: string): Promise<string> {
  try {
    return await readFile(path.join(directory, file), 'utf8')
  } catch (error) {
    throw new HarnessError(
      'E_USAGE',
      `${directory} holds no prepared run: ${(error as Error).message}`,
      'Name a directory that npm run load -- --prepare DIR has written.',
      { cause: error },
    )
  }
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
