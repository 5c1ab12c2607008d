import { rmSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { atExit } from './at-exit.ts'

/** A k6 that was killed a moment ago may still finish a write. */
const REMOVAL = { recursive: true, force: true, maxRetries: 5, retryDelay: 20 } as const

/** It goes with its scope, and with this process. */
export async function openTemporaryFolder(): Promise<AsyncDisposable & { readonly path: string }> {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'ordering-harness-'))
  const last = atExit(() => rmSync(directory, REMOVAL))
  return {
    path: directory,
    async [Symbol.asyncDispose]() {
      await rm(directory, REMOVAL)
      last[Symbol.dispose]()
    },
  }
}
