/** A disk that is soon full. Only the superuser may mount one. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmdirSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'

type SmallDisk = Disposable & { readonly directory: string }

export function smallDisk(kilobytes: number): SmallDisk {
  const directory = mkdtempSync(path.join(os.tmpdir(), 'hostile-disk-'))
  const size = `size=${kilobytes}k`
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', size, 'none', directory], { stdio: 'pipe' })
  } catch (cause) {
    rmdirSync(directory)
    throw cause
  }
  return {
    directory,
    [Symbol.dispose]() {
      execFileSync('umount', [directory])
      rmdirSync(directory)
    },
  }
}

function whyNone(): string | undefined {
  try {
    using _ = smallDisk(100)
    return undefined
  } catch {
    return 'no file system can be mounted here, so no disk can be full'
  }
}

/** Why this machine can have none; undefined where it can. */
export const NO_SMALL_DISK = whyNone()
