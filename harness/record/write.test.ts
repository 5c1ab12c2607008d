import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { RunRecord } from '../../schemas/generated/run-record.ts'
import { writeRecord } from './write.ts'

const RECORD = { runId: 'a-run' } as RunRecord

let directory = ''
beforeEach(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'harness-write-'))
})
afterEach(() => rm(directory, { recursive: true, force: true }))

test('the record and the reports are written', async () => {
  await writeRecord(directory, RECORD, [{ file: 'junit.xml', text: '<x/>' }])
  expect((await readdir(directory)).toSorted()).toEqual(['junit.xml', 'run.json'])
})

test('a file that cannot be written says where, and leaves no half of it', async () => {
  await mkdir(path.join(directory, 'junit.xml'))
  const written = writeRecord(directory, RECORD, [{ file: 'junit.xml', text: '<x/>' }])
  await expect(written).rejects.toMatchObject({
    code: 'E_RECORD_UNWRITTEN',
    exitCode: 4,
    message: expect.stringContaining(directory) as string,
  })
  expect((await readdir(directory)).toSorted()).toEqual(['junit.xml', 'run.json'])
})
