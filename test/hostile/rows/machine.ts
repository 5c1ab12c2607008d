/** What the machine of the harness does not give. */
import { existsSync, writeFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { expect } from 'vitest'
import type { Against, Row } from '../row.ts'
import { service } from '../servers.ts'
import { NO_SMALL_DISK, smallDisk } from '../small-disk.ts'

/** The service, and a disk of that size. */
async function withDisk(
  kilobytes: number,
  use: (directory: string, against: Against) => Pick<Against, 'parameters' | 'env' | 'left'>,
): Promise<Against> {
  const disk = smallDisk(kilobytes)
  const served = await service()
  return {
    ...use(disk.directory, served),
    async [Symbol.asyncDispose]() {
      await served[Symbol.asyncDispose]()
      disk[Symbol.dispose]()
    },
  }
}

const reportsOn = (kilobytes: number): Promise<Against> =>
  withDisk(kilobytes, (directory, { parameters, env = {} }) => ({
    parameters: [...parameters, '--reports', directory],
    env,
    left: () => readdir(directory),
  }))

const tempFull = (): Promise<Against> =>
  withDisk(300, (directory) => {
    writeFileSync(path.join(directory, 'full'), Buffer.alloc(300 * 1024))
    return { parameters: ['--window-seconds', '1'], env: { TMPDIR: directory } }
  })

const onFullDisk = (what: string, kilobytes: number): Row => ({
  probes: [90],
  what,
  against: () => reportsOn(kilobytes),
  lacks: NO_SMALL_DISK,
  parameters: ['--only', 'auth.missing-key,auth.scopes-suffice,envelope'],
  exit: 4,
  says: [
    /Harness fault \(exit 4\) E_RECORD_UNWRITTEN: .*(?:ENOSPC|no space)/,
    /Next: Make room there/,
  ],
  record: 'none',
  also: async ({ out }, _, { left }) => {
    expect(out).not.toMatch(/Pass|Report:|Nothing to do/)
    expect(await left?.()).toEqual([])
  },
})

const NOT_THERE = path.join(os.tmpdir(), 'is-not-there')

export const MACHINE: readonly Row[] = [
  {
    probes: [92],
    what: 'no folder for temporary files, with the embedded service',
    against: () =>
      Promise.resolve({
        parameters: [],
        // Where Node would keep what it compiles, and make the folder for it.
        env: { TMPDIR: NOT_THERE, NODE_COMPILE_CACHE: '' },
        async [Symbol.asyncDispose]() {},
      }),
    by: 'process',
    parameters: ['--only', 'auth.missing-key'],
    exit: 3,
    says: [/E_ENVIRONMENT_DISK/],
    record: 'none',
    also: () => expect(existsSync(NOT_THERE)).toBe(false),
  },
  onFullDisk('reports on a disk that has no room for any of them', 8),
  onFullDisk('reports on a disk that has room for some of them', 60),
  {
    probes: [91],
    what: 'no room for temporary files',
    against: tempFull,
    lacks: NO_SMALL_DISK,
    by: 'process',
    parameters: ['--only', 'auth.missing-key'],
    exit: 3,
    says: [/E_ENVIRONMENT_DISK: a file could not be written: ENOSPC/, /Make room/],
    record: 'none',
  },
]
