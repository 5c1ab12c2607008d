/** What the image of the harness is made of: the packed package as npm installs it, k6, and the authorities that Node trusts. */
import { execFile } from 'node:child_process'
import { copyFile, mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { getCACertificates } from 'node:tls'
import { promisify } from 'node:util'
import { findK6 } from '../../harness/load/k6/k6-binary.ts'
import { packInto } from './package-files.ts'

const run = promisify(execFile)

/** The image has a Node already; these packages would bring another. */
const NODE_PACKAGE = /^node-(?:linux|win)-/

/** Fills the folder with what Dockerfile.harness copies. */
export async function fillHarnessContext(
  folder: string,
  say: (text: string) => void,
): Promise<void> {
  const k6 = await findK6({ env: process.env, onProgress: say })
  await copyFile(k6.path, path.join(folder, 'k6'))
  await writeFile(path.join(folder, 'authorities.pem'), getCACertificates('bundled').join('\n'))
  const app = path.join(folder, 'app')
  await mkdir(app)
  await writeFile(path.join(app, 'package.json'), '{"private":true}')
  say('Packs the package and installs it.')
  const tarball = await packInto(folder)
  const quiet = ['--omit=dev', '--prefer-offline', '--no-audit', '--no-fund']
  await run('npm', ['install', ...quiet, tarball], { cwd: app })
  const modules = path.join(app, 'node_modules')
  for (const name of await readdir(modules))
    if (NODE_PACKAGE.test(name)) await rm(path.join(modules, name), { recursive: true })
}
