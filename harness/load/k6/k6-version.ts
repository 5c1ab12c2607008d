import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { childEnvironment } from '../../child-environment.ts'

/** The k6 that the harness is made for; load/k6/go.mod pins the same. */
export const K6_VERSION = '2.2.0'
const VERSION_TIMEOUT_MS = 20_000

const run = promisify(execFile)

/** Where a k6 came from. */
export type K6Source = 'K6_BIN' | 'PATH' | 'cache' | 'release' | 'build'
export type K6Binary = {
  readonly path: string
  readonly version: string
  readonly source: K6Source
}

/** Asks a program for its version, for example `2.2.0`. Throws a plain sentence if it is no k6 of the pinned minor version. */
export async function requireK6(path: string): Promise<string> {
  const output = await versionOutput(path)
  const version = /\bk6(?:\.exe)? v(\d+\.\d+\.\d+\S*)/.exec(output)?.[1]
  if (version === undefined)
    throw new Error(`${path} is not k6: its version command printed ${quote(output)}`)
  if (minorOf(version) !== minorOf(K6_VERSION))
    throw new Error(`${path} is k6 ${version}, expected ${minorOf(K6_VERSION)}.x`)
  return version
}

async function versionOutput(path: string): Promise<string> {
  try {
    const { stdout } = await run(path, ['version'], {
      timeout: VERSION_TIMEOUT_MS,
      env: { ...childEnvironment(process.env), K6_NO_USAGE_REPORT: 'true' },
    })
    return stdout
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') throw new Error(`${path} does not exist`, { cause: error })
    if (code === 'EACCES') throw new Error(`${path} is not executable`, { cause: error })
    throw new Error(`${path} cannot be run: ${message.split('\n')[0]}`, { cause: error })
  }
}

function minorOf(version: string): string {
  return version.split('.').slice(0, 2).join('.')
}

function quote(output: string): string {
  return JSON.stringify(output.trim().slice(0, 80))
}
