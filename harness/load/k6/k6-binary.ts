import { rmSync } from 'node:fs'
import { access, chmod, constants, mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'
import { atExit } from '../../at-exit.ts'
import { HarnessError } from '../../errors.ts'
import { buildK6 } from './k6-build.ts'
import { fetchRelease } from './k6-release.ts'
import { K6_VERSION, requireK6 } from './k6-version.ts'
import type { K6Binary, K6Source } from './k6-version.ts'

export type { K6Binary, K6Source } from './k6-version.ts'

export type FindK6Options = {
  readonly env: NodeJS.ProcessEnv
  onProgress(text: string): void
  readonly signal?: AbortSignal
  /** Where fetched and built binaries are kept; by default in the user's cache, so that all checkouts share them. */
  readonly cacheDirectory?: string
  /** Sources to try, in this order; by default all of them. */
  readonly sources?: readonly K6Source[]
  readonly moduleDirectory?: string
  readonly releaseUrl?: string
  readonly connectTimeoutMs?: number
}

const SOURCES: readonly K6Source[] = ['K6_BIN', 'PATH', 'cache', 'release', 'build']
const MODULE_DIRECTORY = join(import.meta.dirname, '..', '..', '..', 'load', 'k6')

/**
 * Finds k6 of the pinned minor version: K6_BIN, PATH, the cache, the official release, a build with Go. A K6_BIN that is set must
 * be right: nothing else is tried. Throws E_K6_MISSING, which names what each source lacked and how to install k6.
 */
export async function findK6(options: FindK6Options): Promise<K6Binary> {
  const failures: string[] = []
  for (const source of options.sources ?? SOURCES) {
    options.signal?.throwIfAborted()
    try {
      const path = await FINDERS[source](options)
      if (path !== undefined) return { path, version: await requireK6(path), source }
      failures.push(`${source}: ${NOTHING_THERE[source]}`)
    } catch (error) {
      options.signal?.throwIfAborted()
      failures.push(`${source}: ${(error as Error).message}`)
      if (source === 'K6_BIN') break
    }
  }
  throw new HarnessError(
    'E_K6_MISSING',
    `k6 ${K6_VERSION} was found nowhere. ${failures.join('; ')}.`,
    `Install k6 v${K6_VERSION} (https://grafana.com/docs/k6/latest/set-up/install-k6/) or Go 1.26 or newer, or set K6_BIN to a k6 binary of that version.`,
  )
}

const NOTHING_THERE: Readonly<Record<K6Source, string>> = {
  K6_BIN: 'not set',
  PATH: 'no k6 on it',
  cache: 'empty',
  release: 'no archive',
  build: 'no binary',
}

const FINDERS: Readonly<Record<K6Source, (options: FindK6Options) => Promise<string | undefined>>> =
  {
    K6_BIN: ({ env }) => Promise.resolve(env['K6_BIN'] || undefined),
    PATH: ({ env }) => executableIn((env['PATH'] ?? '').split(delimiter)),
    cache: (options) => executableIn([cachedDirectory(options)]),
    release: (options) =>
      keepInCache(options, (directory) =>
        fetchRelease({ ...options, directory, platform: process.platform, arch: process.arch }),
      ),
    build: (options) =>
      keepInCache(options, (directory) =>
        buildK6({
          ...options,
          directory,
          moduleDirectory: options.moduleDirectory ?? MODULE_DIRECTORY,
        }),
      ),
  }

const BINARY_NAME = process.platform === 'win32' ? 'k6.exe' : 'k6'

async function executableIn(directories: readonly string[]): Promise<string | undefined> {
  for (const directory of directories) {
    const path = join(directory, BINARY_NAME)
    const found = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    )
    if (directory !== '' && found) return path
  }
  return undefined
}

function cachedDirectory({ env, cacheDirectory }: FindK6Options): string {
  const root =
    cacheDirectory ?? join(env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'ordering-harness')
  return join(root, 'k6', `v${K6_VERSION}-${process.platform}-${process.arch}`)
}

/** A compiler that was killed a moment ago may still finish a write. */
const REMOVAL = { recursive: true, force: true, maxRetries: 5, retryDelay: 20 } as const

/** Makes a binary in a directory of its own, looks at it, and moves it into place in one step: nobody sees half of one. */
async function keepInCache(
  options: FindK6Options,
  make: (directory: string) => Promise<string>,
): Promise<string> {
  const cached = cachedDirectory(options)
  await mkdir(cached, { recursive: true })
  const work = await mkdtemp(join(cached, 'making-'))
  using _last = atExit(() => rmSync(work, REMOVAL))
  try {
    const made = await make(work)
    await chmod(made, 0o755)
    await requireK6(made)
    const kept = join(cached, BINARY_NAME)
    await rename(made, kept)
    return kept
  } finally {
    await rm(work, REMOVAL)
  }
}
