/** What the container test needs: a Docker engine, and our own command lines run as a user runs them. */
import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { docker, DockerError, requireEngine } from '../../scripts/image/docker.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')

/** Why no container can be started here; undefined where one can. */
export async function reasonWithoutEngine(): Promise<string | undefined> {
  try {
    await requireEngine()
    return undefined
  } catch (error) {
    if (error instanceof DockerError) return error.message
    throw error
  }
}

export type Ended = { readonly exitCode: number | null; readonly output: string }

export type ScriptOptions = {
  readonly env?: NodeJS.ProcessEnv
  /** Interrupts the script, as Ctrl-C does, whenever its output holds the next of these texts. */
  readonly interruptAt?: readonly string[]
}

/** Runs one of scripts/ to its end. */
export function runScript(
  [script, ...args]: readonly [string, ...string[]],
  { env = {}, interruptAt = [] }: ScriptOptions = {},
): Promise<Ended> {
  const child = spawn(process.execPath, [path.join(ROOT, 'scripts', script), ...args], {
    cwd: ROOT,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const moments = [...interruptAt]
  let output = ''
  const collect = (chunk: Buffer): void => {
    output += chunk.toString()
    if (moments[0] === undefined || !output.includes(moments[0])) return
    moments.shift()
    child.kill('SIGINT')
  }
  child.stdout.on('data', collect)
  child.stderr.on('data', collect)
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (exitCode) => resolve({ exitCode, output }))
  })
}

/** Builds an image of these lines alone. */
export async function buildImage(tag: string, lines: readonly string[]): Promise<void> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'container-test-'))
  try {
    await writeFile(path.join(folder, 'Dockerfile'), `${lines.join('\n')}\n`)
    await docker(['build', '--quiet', '--force-rm', '--tag', tag, folder])
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** Takes the names away; the layers stay in the cache of builds. */
export async function removeImages(...tags: readonly string[]): Promise<void> {
  await docker(['image', 'rm', '--force', ...tags])
}

/** A container of the image as an orchestrator would run it: no capability, nothing to write to. */
export function startLocked(image: string): Promise<string> {
  return docker(['run', '--detach', '--read-only', '--cap-drop', 'ALL', image])
}

export function inspect(container: string, template: string): Promise<string> {
  return docker(['inspect', '--format', template, container])
}

/** Ids of the containers of an image, whatever their state. By name: another test may build the same content under another one. */
export async function containersOf(image: string): Promise<string> {
  const listed = await docker(['ps', '--all', '--format', '{{.Image}} {{.ID}}'])
  return listed
    .split('\n')
    .filter((line) => line.startsWith(`${image} `) || line.startsWith(`${image}:`))
    .join('\n')
}
