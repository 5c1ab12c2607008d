/** The files of the npm package: what it runs is compiled, for Node does not strip types below node_modules. */
import { execFile } from 'node:child_process'
import { cp, mkdir, readdir } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const ROOT = path.resolve(import.meta.dirname, '../..')
const TSC = path.join(ROOT, 'node_modules', '.bin', 'tsc')

/** Compiles the package's modules into the folder, and copies what they read at run time. */
export async function compilePackage(dist: string): Promise<void> {
  await run(TSC, ['-p', 'tsconfig.package.json', '--outDir', dist], { cwd: ROOT })
  // Read at run time by their path: the schemas of answers, and the module that builds k6.
  await copyAll('schemas', (file) => file.endsWith('.schema.json'))
  await copyAll('load/k6', () => true)

  async function copyAll(folder: string, isWanted: (file: string) => boolean): Promise<void> {
    await mkdir(path.join(dist, folder), { recursive: true })
    for (const file of await readdir(path.join(ROOT, folder)))
      if (isWanted(file)) await cp(path.join(ROOT, folder, file), path.join(dist, folder, file))
  }
}

/** Packs the same package as `npm pack`, but in the given folder: another process may pack the checkout meanwhile. Returns the tarball's path. */
export async function packInto(folder: string): Promise<string> {
  const staged = path.join(folder, 'package')
  await mkdir(staged)
  for (const name of ['package.json', 'README.md', 'bin'])
    await cp(path.join(ROOT, name), path.join(staged, name), { recursive: true })
  await compilePackage(path.join(staged, 'dist'))
  const { stdout } = await run('npm', ['pack', '--ignore-scripts'], { cwd: staged })
  return path.join(staged, stdout.trim())
}
