/** Generates `schemas/generated/*.ts` from the JSON Schemas. `--check` fails when what is committed differs from what would be made. */
import { readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { compile, type JSONSchema } from 'json-schema-to-typescript'

const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } })
const schemaDir = path.join(import.meta.dirname, '..', 'schemas')
const stale: string[] = []

/** Rewrites 2020-12 tuples (`prefixItems`) as the draft-07 ones, the only form that the generator turns into tuple types. */
function withDraft7Tuples(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('prefixItems' in value)) return value
  const { prefixItems, items, ...rest } = value as Record<string, unknown>
  return { ...rest, items: prefixItems, additionalItems: items ?? true }
}

for (const file of (await readdir(schemaDir)).filter((name) => name.endsWith('.schema.json'))) {
  const banner = `/** Generated from schemas/${file} by \`npm run generate\`. Do not edit. */`
  const source = await readFile(path.join(schemaDir, file), 'utf8')
  const schema = JSON.parse(source, withDraft7Tuples) as JSONSchema
  const text = await compile(schema, file, {
    bannerComment: banner,
    cwd: schemaDir,
    unreachableDefinitions: true,
    maxItems: 8,
    style: { semi: false, singleQuote: true, printWidth: 100 },
  })
  const out = path.join(schemaDir, 'generated', file.replace('.schema.json', '.ts'))
  const committed = await readFile(out, 'utf8').catch(() => '')
  if (committed === text) continue
  if (values.check) stale.push(path.relative(process.cwd(), out))
  else await writeFile(out, text)
}

if (stale.length > 0) {
  console.error(`Generated types are stale: ${stale.join(', ')}. Run \`npm run generate\`.`)
  process.exitCode = 1
}
