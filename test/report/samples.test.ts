import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { contradictionsIn } from '../../harness/record/inspect.ts'
import { renderAll } from '../../harness/report/index.ts'
import { validateDocument } from '../../harness/schema/validate.ts'
import type { RunRecord } from '../../schemas/generated/run-record.ts'

const SAMPLES = path.resolve(import.meta.dirname, '../../reports/samples')
const NAMES = ['pass', 'failure', 'load', 'capacity']

test('there is a sample of each kind', () => {
  expect(readdirSync(SAMPLES).toSorted()).toEqual(NAMES.toSorted())
})

describe.each(NAMES)('the sample %s', (name) => {
  const read = (file: string): string => readFileSync(path.join(SAMPLES, name, file), 'utf8')
  const record = JSON.parse(read('run.json')) as RunRecord

  test('is a record of this version, as it was written', () => {
    expect(validateDocument('run-record', record)).toEqual([])
    expect(contradictionsIn(record)).toEqual([])
  })

  test('looks as it would if it was made today: else run npm run samples', () => {
    for (const { file, text } of renderAll(record)) expect(read(file) === text, file).toBe(true)
  })
})
