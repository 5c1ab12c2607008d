import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmod, mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { findK6 } from './k6-binary.ts'
import type { FindK6Options, K6Source } from './k6-binary.ts'
import { fetchRelease, releaseArchiveName } from './k6-release.ts'
import { K6_VERSION } from './k6-version.ts'

let directory = ''

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'harness-k6-test-'))
})
afterEach(async () => {
  await rm(directory, { recursive: true, force: true })
})

/** A program that prints a version as k6 does. */
async function program(path: string, version: string): Promise<string> {
  await mkdir(join(path, '..'), { recursive: true })
  await writeFile(path, `#!/bin/sh\necho "${version}"\n`)
  await chmod(path, 0o755)
  return path
}

const K6_SAYS = `k6 v${K6_VERSION} (go1.26, linux/amd64)`

function find(
  sources: readonly K6Source[],
  options: Partial<FindK6Options> = {},
): ReturnType<typeof findK6> {
  return findK6({
    env: {},
    onProgress: () => undefined,
    cacheDirectory: join(directory, 'cache'),
    sources,
    ...options,
  })
}

test('K6_BIN is taken when it is a k6 of the pinned minor version', async () => {
  const path = await program(join(directory, 'my-k6'), 'k6 v2.2.7 (go1.26)')
  const k6 = await find(['K6_BIN', 'PATH'], { env: { K6_BIN: path } })
  expect(k6).toEqual({ path, version: '2.2.7', source: 'K6_BIN' })
})

test.each([
  ['missing', undefined, 'does not exist'],
  ['no k6', 'Python 3.13', 'is not k6'],
  ['another version', 'k6 v0.49.0 (go1.21)', 'is k6 0.49.0, expected 2.2.x'],
])('a K6_BIN that is %s is an error, and nothing else is tried', async (_, says, message) => {
  const path = join(directory, 'bin')
  if (says !== undefined) await program(path, says)
  await program(join(directory, 'path', 'k6'), K6_SAYS)
  const found = find(['K6_BIN', 'PATH'], {
    env: { K6_BIN: path, PATH: join(directory, 'path') },
  })
  await expect(found).rejects.toMatchObject({ code: 'E_K6_MISSING' })
  await expect(found).rejects.toThrow(message)
})

test('a k6 of another version on PATH is passed over for the next source', async () => {
  await program(join(directory, 'path', 'k6'), 'k6 v1.0.0 (go1.24)')
  const cached = join(
    directory,
    'cache',
    'k6',
    `v${K6_VERSION}-${process.platform}-${process.arch}`,
    'k6',
  )
  await program(cached, K6_SAYS)
  const env = { PATH: join(directory, 'path') }
  expect(await find(['K6_BIN', 'PATH', 'cache'], { env })).toEqual({
    path: cached,
    version: K6_VERSION,
    source: 'cache',
  })
})

test('when no source has one, the error names what each of them lacked and what to install', async () => {
  const found = find(['K6_BIN', 'PATH', 'cache', 'release', 'build'], {
    releaseUrl: 'http://127.0.0.1:9/nothing-here',
    env: { PATH: join(directory, 'empty') },
  })
  await expect(found).rejects.toThrow(
    /K6_BIN: not set; PATH: no k6 on it; cache: empty; release: .*could not be fetched.*; build: go is not installed/,
  )
  await expect(found).rejects.toMatchObject({ exitCode: 3, nextStep: /Install k6 v2\.2\.0/ })
})

/** Serves files under /store, reached from /release by a redirection, as the release page does it. */
async function withRelease<T>(
  files: Readonly<Record<string, Buffer>>,
  use: (url: string) => Promise<T>,
): Promise<T> {
  const server = createServer((request, response) => {
    const [, folder, name] = request.url?.split('/') ?? []
    const file = files[name ?? '']
    if (folder === 'release') response.writeHead(302, { Location: `/store/${name}` }).end()
    else if (file) response.end(file)
    else response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    return await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}/release`)
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

async function makeArchive(): Promise<Buffer> {
  const folder = `k6-v${K6_VERSION}-linux-amd64`
  await program(join(directory, 'made', folder, 'k6'), K6_SAYS)
  const archive = join(directory, 'made', 'k6.tar.gz')
  execFileSync('tar', ['-czf', archive, '-C', join(directory, 'made'), folder])
  return readFile(archive)
}

const ARCHIVE = `k6-v${K6_VERSION}-linux-amd64.tar.gz`
const CHECKSUMS = `k6-v${K6_VERSION}-checksums.txt`

function sums(archive: Buffer): Buffer {
  const sum = createHash('sha256').update(archive).digest('hex')
  return Buffer.from(`${'0'.repeat(64)}  another.zip\n${sum}  ${ARCHIVE}\n`)
}

function fetchFrom(releaseUrl: string): Promise<string> {
  return fetchRelease({
    directory: join(directory, 'fetched'),
    platform: 'linux',
    arch: 'x64',
    releaseUrl,
    onProgress: () => undefined,
  })
}

test('a release is fetched, verified and unpacked', async () => {
  const archive = await makeArchive()
  const path = await withRelease({ [ARCHIVE]: archive, [CHECKSUMS]: sums(archive) }, fetchFrom)
  expect(await readFile(path, 'utf8')).toContain(K6_SAYS)
})

test('an archive whose checksum differs is not unpacked', async () => {
  const archive = await makeArchive()
  const files = {
    [ARCHIVE]: Buffer.concat([archive, Buffer.from('x')]),
    [CHECKSUMS]: sums(archive),
  }
  await expect(withRelease(files, fetchFrom)).rejects.toThrow('its release names')
  expect(await readdir(directory)).not.toContain('fetched')
})

test('a release that lacks the file, or the name in its checksums, is an error', async () => {
  const archive = await makeArchive()
  await expect(withRelease({ [CHECKSUMS]: sums(archive) }, fetchFrom)).rejects.toThrow('HTTP 404')
  await expect(withRelease({ [CHECKSUMS]: Buffer.from('nothing\n') }, fetchFrom)).rejects.toThrow(
    'does not name',
  )
})

test('archives are named as the releases name them', () => {
  expect(releaseArchiveName('linux', 'arm64')).toBe(`k6-v${K6_VERSION}-linux-arm64.tar.gz`)
  expect(releaseArchiveName('darwin', 'arm64')).toBe(`k6-v${K6_VERSION}-macos-arm64.zip`)
  expect(releaseArchiveName('win32', 'x64')).toBe(`k6-v${K6_VERSION}-windows-amd64.zip`)
  expect(() => releaseArchiveName('aix', 'ppc64')).toThrow('no release for aix')
})

/** Stands in for go: leaves what a killed one leaves, and after a moment writes a program that prints a version to the path given by -o. */
async function fakeGo(version: string): Promise<string> {
  const go = join(directory, 'go-path', 'go')
  await mkdir(join(directory, 'go-path'), { recursive: true })
  await writeFile(
    go,
    `#!/bin/sh\nset -e\ntest -f go.mod\n: > "$GOTMPDIR/go-build1"\nwhile [ "$1" != "-o" ]; do shift; done\n/bin/sleep 0.2\nprintf '#!/bin/sh\\necho "${version}"\\n' > "$2"\n`,
  )
  await chmod(go, 0o755)
  return join(directory, 'go-path')
}

test('two builds at once leave one whole binary in the cache and nothing else', async () => {
  const env = { PATH: `${await fakeGo(K6_SAYS)}:/usr/bin:/bin` }
  const progress: string[] = []
  const built = await Promise.all(
    [1, 2].map(() => find(['build'], { env, onProgress: (text) => progress.push(text) })),
  )
  expect(built.map(({ source }) => source)).toEqual(['build', 'build'])
  expect(await readdir(join(built[0]?.path ?? '', '..'))).toEqual(['k6'])
  expect(progress[0]).toBe(`building k6 v${K6_VERSION} with go, about a minute: 0 s`)
  expect(await find(['cache'], { env })).toMatchObject({ source: 'cache', path: built[0]?.path })
})

test('a build that gives something else never reaches the cache', async () => {
  const env = { PATH: `${await fakeGo('k6 v9.9.9')}:/usr/bin:/bin` }
  await expect(find(['build'], { env })).rejects.toThrow('is k6 9.9.9, expected 2.2.x')
  await expect(find(['cache'], { env })).rejects.toThrow('cache: empty')
})

test('an aborted search ends with the reason of the abort', async () => {
  const signal = AbortSignal.abort(new Error('stopped by the user'))
  await expect(find(['build'], { signal })).rejects.toThrow('stopped by the user')
})
