/** What the tests share: a file of one's own, and errors that keep their promises. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect } from 'vitest'
import { HarnessError } from '../../harness/errors.ts'
import type { TargetFlags } from '../../harness/target-file/options.ts'
import { resolveTarget, type ResolvedTarget } from '../../harness/target-file/resolve.ts'

/** A text that looks like a key; no message may hold it. */
export const SECRET = 'hunter2hunter2hunter2'
export const env = { ORDERING_KEY: 'key-of-full' }
export const url = 'https://orders.example.com'

/** An empty folder that goes when the tests of the calling file have run. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'target-'))
  afterAll(() => rmSync(folder, { recursive: true }))
  return folder
}

export function errorOf(action: () => unknown): HarnessError {
  try {
    action()
  } catch (error) {
    expect(error).toBeInstanceOf(HarnessError)
    const { exitCode, message, nextStep } = error as HarnessError
    expect(exitCode).toBe(2)
    expect(nextStep).toContain('Nothing was sent.')
    expect(message + nextStep).not.toContain(SECRET)
    return error as HarnessError
  }
  return expect.unreachable('no error was thrown')
}

type Files = {
  readonly cwd: string
  readonly write: (content: unknown) => void
  /** Resolves with the content as the target file `staging.json`. */
  readonly resolveFile: (
    content: unknown,
    environment?: Record<string, string>,
    flags?: TargetFlags,
  ) => ResolvedTarget
  readonly fileError: (content: unknown, environment?: Record<string, string>) => HarnessError
}

export function targetFiles(): Files {
  const cwd = temporaryFolder()
  const write: Files['write'] = (content) => {
    const text = typeof content === 'string' ? content : JSON.stringify(content, undefined, 2)
    writeFileSync(path.join(cwd, 'staging.json'), text)
  }
  const resolveFile: Files['resolveFile'] = (content, environment = env, flags = {}) => {
    write(content)
    return resolveTarget({ flags: { target: 'staging.json', ...flags }, env: environment, cwd })
  }
  return {
    cwd,
    write,
    resolveFile,
    fileError: (content, environment) => errorOf(() => resolveFile(content, environment)),
  }
}
