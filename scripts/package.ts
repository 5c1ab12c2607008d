/** `npm run prepack`, part of `npm pack`: compiles what the package runs into dist/. */
import { rm } from 'node:fs/promises'
import path from 'node:path'
import { endSoon } from './end-soon.ts'
import { compilePackage } from './image/package-files.ts'

const DIST = path.join(path.dirname(import.meta.dirname), 'dist')

await rm(DIST, { recursive: true, force: true })
await compilePackage(DIST)
endSoon()
