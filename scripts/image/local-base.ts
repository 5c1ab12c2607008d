/** A base image without any registry: the Node that runs this, with the shared libraries that it loads, and nothing else. */
import { execFile } from 'node:child_process'
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { docker, DockerError } from './docker.ts'

const run = promisify(execFile)

/** On the PATH of the image, where the official Node image has it too. */
const NODE_PATH = '/usr/local/bin/node'

const DOCKERFILE = `FROM scratch
COPY files /
ENV PATH=${path.posix.dirname(NODE_PATH)}
`

/** The vite below our conformance runner loads it; Node itself does not. It stands beside the other parts of glibc. */
const MORE_LIBRARIES = ['librt.so.1']

/** Makes the base, or finds it made before by the same Node. Returns its name. */
export async function makeLocalBase(say: (text: string) => void): Promise<string> {
  const name = `ordering-harness-base:node-${process.versions.node}-${process.arch}-rt`
  if ((await docker(['images', '--quiet', name])) !== '') {
    say(`Finds the base ${name}, made before.`)
    return name
  }
  const libraries = await librariesOf(process.execPath)
  say(`Makes the base ${name} of ${process.execPath} and ${libraries.join(', ')}.`)
  const folder = await mkdtemp(path.join(os.tmpdir(), 'ordering-harness-base-'))
  try {
    await writeFile(path.join(folder, 'Dockerfile'), DOCKERFILE)
    await place(folder, process.execPath, NODE_PATH)
    for (const library of libraries) await place(folder, library, library)
    await docker(['build', '--quiet', '--force-rm', '--tag', name, folder])
    return name
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** A library that is a link is copied as the file that it leads to, under the name by which it is loaded. */
async function place(folder: string, from: string, to: string): Promise<void> {
  const file = path.join(folder, 'files', to)
  await mkdir(path.dirname(file), { recursive: true })
  await copyFile(from, file)
}

/** Absolute paths of every shared library, the loader among them. */
async function librariesOf(binary: string): Promise<string[]> {
  if (process.platform !== 'linux')
    throw new DockerError(
      `A base can be made of this machine's Node on Linux only; this is ${process.platform}.`,
      'Make an image registry reachable, or name an image with Node that is here: npm run image -- --base IMAGE',
    )
  const { stdout } = await run('ldd', [binary])
  const missing = stdout.split('\n').find((line) => line.includes('not found'))
  if (missing !== undefined) throw new Error(`ldd misses a library of ${binary}: ${missing.trim()}`)
  const libraries = [...stdout.matchAll(/(?<=\s|^)\/\S+/gm)].map(([library]) => library)
  const glibc = path.dirname(libraries.find((each) => each.includes('/libc.so')) ?? '/lib')
  return [...libraries, ...MORE_LIBRARIES.map((name) => path.join(glibc, name))]
}
