/** `npm run prepack`, part of `npm pack`: compiles what the package runs into dist/. Node does not strip types below node_modules. */
import { execFileSync } from 'node:child_process'
import { cp, mkdir, readdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { endSoon } from './end-soon.ts'

const ROOT = path.dirname(import.meta.dirname)
const DIST = path.join(ROOT, 'dist')

await rm(DIST, { recursive: true, force: true })
execFileSync('tsc', ['-p', 'tsconfig.package.json'], { cwd: ROOT, stdio: 'inherit' })
// Read at run time by their path: the schemas of answers, and the module that builds k6.
await copyAll('schemas', (file) => file.endsWith('.schema.json'))
await copyAll('load/k6', () => true)
endSoon()

async function copyAll(folder: string, isWanted: (file: string) => boolean): Promise<void> {
  await mkdir(path.join(DIST, folder), { recursive: true })
  for (const file of await readdir(path.join(ROOT, folder)))
    if (isWanted(file)) await cp(path.join(ROOT, folder, file), path.join(DIST, folder, file))
}
