import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { beforeAll, expect, test } from 'vitest'
import type { ValidateFunction } from 'ajv'
import { hostileRecord, largeRecord } from './sample-hostile.ts'
import {
  emptyRecord,
  failingRecord,
  interruptedRecord,
  notReadyRecord,
  passingRecord,
} from './sample-record.ts'

let validate: ValidateFunction

beforeAll(async () => {
  const file = path.join(import.meta.dirname, '../../schemas/run-record.schema.json')
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true })
  addFormats.default(ajv)
  validate = ajv.compile(JSON.parse(await readFile(file, 'utf8')) as object)
})

test.for([
  ['passing', passingRecord()],
  ['failing', failingRecord()],
  ['interrupted', interruptedRecord()],
  ['empty', emptyRecord()],
  ['not ready', notReadyRecord()],
  ['hostile', hostileRecord()],
  ['large', largeRecord({ checks: 20, exchanges: 40 })],
] as const)('the %s sample is a run record by its schema', ([, record]) => {
  validate(record)
  expect(validate.errors ?? []).toEqual([])
})
