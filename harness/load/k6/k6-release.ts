import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { EnvHttpProxyAgent, interceptors, request } from 'undici'
import type { Dispatcher } from 'undici'
import { childEnvironment } from '../../child-environment.ts'
import { K6_VERSION } from './k6-version.ts'

export const RELEASE_URL = `https://github.com/grafana/k6/releases/download/v${K6_VERSION}`
const CONNECT_TIMEOUT_MS = 5000
const READ_TIMEOUT_MS = 30_000
const REDIRECTIONS_MAX = 5
const EXTRACT_TIMEOUT_MS = 60_000
const ARCHIVE_BYTES_MAX = 200 * 1024 * 1024

const run = promisify(execFile)

export type ReleaseOptions = {
  /** An existing directory that the archive is unpacked in. */
  readonly directory: string
  readonly platform: NodeJS.Platform
  readonly arch: string
  readonly releaseUrl?: string | undefined
  readonly connectTimeoutMs?: number | undefined
  readonly signal?: AbortSignal | undefined
  onProgress(text: string): void
}

/**
 * Fetches the official archive, holds it against the release's checksum file and unpacks it. Returns the path of the binary. Throws
 * a plain sentence if there is none for this machine, it cannot be fetched, or its checksum differs.
 */
export async function fetchRelease(options: ReleaseOptions): Promise<string> {
  const archiveName = releaseArchiveName(options.platform, options.arch)
  const releaseUrl = options.releaseUrl ?? RELEASE_URL
  const agent = releaseAgent(options.connectTimeoutMs ?? CONNECT_TIMEOUT_MS)
  try {
    const read = (name: string): Promise<Buffer> =>
      download(`${releaseUrl}/${name}`, agent, options.signal)
    const sums = (await read(`k6-v${K6_VERSION}-checksums.txt`)).toString('utf8')
    const expected = checksumOf(sums, archiveName)
    options.onProgress(`fetching ${archiveName}`)
    const archive = await read(archiveName)
    const actual = createHash('sha256').update(archive).digest('hex')
    if (actual !== expected)
      throw new Error(`${archiveName} has the checksum ${actual}, its release names ${expected}`)
    return await unpack(archive, archiveName, options)
  } finally {
    await agent.close()
  }
}

const PLATFORMS: Readonly<Record<string, string>> = {
  linux: 'linux',
  darwin: 'macos',
  win32: 'windows',
}
const ARCHITECTURES: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' }

/** The name that k6's releases give the archive of a machine. */
export function releaseArchiveName(platform: NodeJS.Platform, arch: string): string {
  const system = PLATFORMS[platform]
  const processor = ARCHITECTURES[arch]
  if (system === undefined || processor === undefined)
    throw new Error(`k6 has no release for ${platform} on ${arch}`)
  const suffix = system === 'linux' ? 'tar.gz' : 'zip'
  return `k6-v${K6_VERSION}-${system}-${processor}.${suffix}`
}

function checksumOf(sums: string, archiveName: string): string {
  for (const line of sums.split('\n')) {
    const [sum, name] = line.trim().split(/\s+/)
    if (name?.replace(/^\*/, '') === archiveName && /^[0-9a-f]{64}$/.test(sum ?? ''))
      return sum as string
  }
  throw new Error(`the release's checksum file does not name ${archiveName}`)
}

/** Honours the usual proxy variables. Releases answer with a redirection to a file store. */
function releaseAgent(connectTimeoutMs: number): EnvHttpProxyAgent {
  return new EnvHttpProxyAgent({
    connect: { timeout: connectTimeoutMs },
    headersTimeout: READ_TIMEOUT_MS,
    bodyTimeout: READ_TIMEOUT_MS,
  })
}

async function download(
  url: string,
  agent: EnvHttpProxyAgent,
  signal: AbortSignal | undefined,
): Promise<Buffer> {
  const dispatcher: Dispatcher = agent.compose(
    interceptors.redirect({ maxRedirections: REDIRECTIONS_MAX }),
  )
  try {
    const { statusCode, body } = await request(url, { dispatcher, ...(signal && { signal }) })
    if (statusCode !== 200) {
      await body.dump()
      throw new Error(`HTTP ${statusCode}`)
    }
    return await readBounded(body)
  } catch (error) {
    throw new Error(`${url} could not be fetched: ${(error as Error).message}`, { cause: error })
  }
}

async function readBounded(body: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.length
    if (bytes > ARCHIVE_BYTES_MAX) throw new Error(`more than ${ARCHIVE_BYTES_MAX} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** tar reads both kinds: GNU tar gets tar.gz only, the tar of macOS and Windows reads zip as well. */
async function unpack(
  archive: Buffer,
  archiveName: string,
  { directory, platform }: ReleaseOptions,
): Promise<string> {
  await mkdir(directory, { recursive: true })
  const archivePath = join(directory, archiveName)
  await writeFile(archivePath, archive)
  await run('tar', ['-xf', archivePath, '-C', directory], {
    timeout: EXTRACT_TIMEOUT_MS,
    env: childEnvironment(process.env),
  })
  const folder = archiveName.replace(/\.(tar\.gz|zip)$/, '')
  return join(directory, folder, platform === 'win32' ? 'k6.exe' : 'k6')
}
