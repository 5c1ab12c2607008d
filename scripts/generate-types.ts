/** Generates `schemas/generated/*.ts` from the JSON Schemas, targets/REFERENCE.md, and docs/options.md. `--check` fails when what is committed differs from what would be made. */
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { CAPACITY_PAGE } from '../harness/capacity/page.ts'
import { RUN_PAGES } from '../harness/gate/pages.ts'
import { optionsPage } from '../harness/help-page.ts'
import { INIT_PAGE } from '../harness/init/page.ts'
import { CLUSTER_PAGE } from '../harness/k8s/page.ts'
import { REPLAY_PAGE } from '../harness/replay/page.ts'
import { TRY_PAGE } from '../harness/try/page.ts'
import { VERIFY_PAGE } from '../harness/verify/page.ts'
import { referencePage } from '../harness/target-file/reference-page.ts'
import { typesFromSchemas } from '../harness/schema/typescript.ts'
import { DEVELOPER_PAGES } from './developer-pages.ts'
import { endSoon } from './end-soon.ts'
import * as readers from './pages.ts'
import { SERVE_PAGE } from './serve-options.ts'

const { values } = parseArgs({
  options: { check: { type: 'boolean', default: false }, help: { type: 'boolean', short: 'h' } },
})
if (values.help) {
  console.log(
    'npm run generate writes schemas/generated/, targets/REFERENCE.md and docs/options.md. With --check it fails if they are stale.',
  )
  process.exit()
}
const PAGES = [
  ...Object.values(RUN_PAGES),
  CAPACITY_PAGE,
  VERIFY_PAGE,
  INIT_PAGE,
  TRY_PAGE,
  REPLAY_PAGE,
  CLUSTER_PAGE,
  ...Object.values(readers),
  SERVE_PAGE,
  ...DEVELOPER_PAGES,
]
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

const root = path.dirname(schemaDir)
const schema = await readFile(path.join(schemaDir, 'target.schema.json'), 'utf8')
const pages = {
  'targets/REFERENCE.md': referencePage(JSON.parse(schema) as Parameters<typeof referencePage>[0]),
  'docs/options.md': optionsPage(PAGES),
}
for (const [name, text] of Object.entries(pages)) {
  const file = path.join(root, name)
  if ((await readFile(file, 'utf8').catch(() => '')) === text) continue
  stale.push(name)
  if (!values.check) await writeFile(file, text)
}

if (values.check && stale.length > 0) {
  console.error(`Generated types are stale: ${stale.join(', ')}. Run \`npm run generate\`.`)
  process.exitCode = 1
} else
  console.log(
    values.check
      ? 'Generated types are fresh.'
      : `Wrote ${stale.length} of ${texts.size + Object.keys(pages).length} files.`,
  )
endSoon()
