import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { typesFromSchemas } from './typescript.ts'

const schemaDir = path.join(import.meta.dirname, '..', '..', 'schemas')

test('the committed types are what the schemas give now', async () => {
  const texts = await typesFromSchemas(schemaDir)
  const generated = path.join(schemaDir, 'generated')
  expect((await readdir(generated)).toSorted()).toEqual([...texts.keys()].toSorted())
  for (const [name, text] of texts)
    expect(await readFile(path.join(generated, name), 'utf8'), `run \`npm run generate\``).toBe(
      text,
    )
})

test('a type of another schema is imported, a tuple stays one, a closed set of names is spelled out', async () => {
  const texts = await typesFromSchemas(schemaDir)
  expect(texts.get('envelope.ts')).toContain(`import type { FieldError } from './field-error.ts'`)
  expect(texts.get('run-record.ts')).toContain('requestHeaders: [string, string][]')
  expect(texts.get('target.ts')).toContain('full?: Credential')
})
