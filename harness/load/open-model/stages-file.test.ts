import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { HarnessError } from '../../errors.ts'
import { readStages } from './stages-file.ts'

const directory = mkdtempSync(path.join(tmpdir(), 'harness-stages-test-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

function fileOf(content: unknown): string {
  const file = path.join(directory, 'stages.json')
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
  return file
}

test('each stage goes on from where the last one ended, and one without length jumps', () => {
  const { stages } = readStages(
    fileOf([
      { duration: '1m30s', target: 20 },
      { duration: '500ms', target: 20 },
      { duration: '0s', target: 5 },
      { duration: '2s', target: 0 },
    ]),
  )
  expect(stages).toEqual([
    { seconds: 90, fromPerSecond: 0, toPerSecond: 20 },
    { seconds: 0.5, fromPerSecond: 20, toPerSecond: 20 },
    { seconds: 2, fromPerSecond: 5, toPerSecond: 0 },
  ])
})

test.each([
  ['{', 'it is no JSON'],
  [
    { duration: '30s', target: 20 },
    'a list of 1 to 100 stages was expected, got an object with duration, target',
  ],
  [[], 'got an empty array'],
  [[{ duration: 30, target: 20 }], 'stage 1 has the duration 30, a text such as "30s"'],
  [[{ duration: '30', target: 20 }], 'stage 1 has the duration "30"'],
  [[{ duration: '1s', target: 1 }, { target: 1 }], 'stage 2 has the duration none'],
  [[{ duration: '30s', target: -1 }], 'stage 1 has the target -1, a number from 0 to 10000'],
  [[{ duration: '30s', target: '20' }], 'the target "20"'],
  [[{ duration: '30s', targets: 20 }], 'stage 1 has "targets", only duration and target'],
  [[{ duration: '25h', target: 1 }], 'they last 90000 s'],
  [[{ duration: '30s', target: 0 }], 'no stage has both a length and a rate'],
  [[null], 'stage 1 has the duration none'],
])('%j is refused', (content, message) => {
  const read = (): unknown => readStages(fileOf(content))
  expect(read).toThrow(HarnessError)
  expect(read).toThrow(message)
})

test('a file that is not there is said', () => {
  expect(() => readStages(path.join(directory, 'none.json'))).toThrow('cannot be read: ENOENT')
})
