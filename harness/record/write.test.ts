import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
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
  const run = path.join(directory, 'reports', 'a-run')
  await writeRecord(run, RECORD, [{ file: 'junit.xml', text: '<x/>' }])
  expect((await readdir(run)).toSorted()).toEqual(['junit.xml', 'run.json'])
})

test('a file that cannot be written says where, and leaves nothing of the run', async () => {
  const written = writeRecord(path.join(directory, 'a-run'), RECORD, [
    { file: 'junit.xml', text: '<x/>' },
    { file: path.join('no-such-folder', 'index.html'), text: '<x/>' },
  ])
  await expect(written).rejects.toMatchObject({
    code: 'E_RECORD_UNWRITTEN',
    exitCode: 4,
    message: expect.stringContaining(directory) as string,
  })
  expect(await readdir(directory)).toEqual([])
})

test('what stands there already is left alone', async () => {
  const run = path.join(directory, 'a-run')
  await mkdir(run)
  await writeFile(path.join(run, 'run.json'), 'of another run')
  await expect(writeRecord(run, RECORD, [])).rejects.toMatchObject({ code: 'E_RECORD_UNWRITTEN' })
  expect(await readFile(path.join(run, 'run.json'), 'utf8')).toBe('of another run')
})
