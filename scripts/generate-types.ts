/** Generates `schemas/generated/*.ts` from the JSON Schemas, and targets/REFERENCE.md. `--check` fails when what is committed differs from what would be made. */
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { referencePage } from '../harness/target-file/reference-page.ts'
import { typesFromSchemas } from '../harness/schema/typescript.ts'
import { endSoon } from './end-soon.ts'

const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } })
const schemaDir = path.join(import.meta.dirname, '..', 'schemas')
const outDir = path.join(schemaDir, 'generated')
const stale: string[] = []

await mkdir(outDir, { recursive: true })
const texts = await typesFromSchemas(schemaDir)

for (const [name, text] of texts) {
  const committed = await readFile(path.join(outDir, name), 'utf8').catch(() => '')
  if (committed === text) continue
  stale.push(name)
  if (!values.check) await writeFile(path.join(outDir, name), text)
}
for (const name of (await readdir(outDir)).filter((name) => !texts.has(name))) {
  stale.push(name)
  if (!values.check) await rm(path.join(outDir, name))
}

const page = path.join(import.meta.dirname, '..', 'targets', 'REFERENCE.md')
const schema = await readFile(path.join(schemaDir, 'target.schema.json'), 'utf8')
const reference = referencePage(JSON.parse(schema) as Parameters<typeof referencePage>[0])
if ((await readFile(page, 'utf8').catch(() => '')) !== reference) {
  stale.push('targets/REFERENCE.md')
  if (!values.check) await writeFile(page, reference)
}

if (values.check && stale.length > 0) {
  console.error(`Generated types are stale: ${stale.join(', ')}. Run \`npm run generate\`.`)
  process.exitCode = 1
} else
  console.log(
    values.check
      ? 'Generated types are fresh.'
      : `Wrote ${stale.length} of ${texts.size + 1} files.`,
  )
endSoon()
