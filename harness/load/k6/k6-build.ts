import { spawn } from 'node:child_process'
import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { childEnvironment } from '../../child-environment.ts'
import { K6_VERSION } from './k6-version.ts'

const PROGRESS_MS = 3000
const ERROR_TEXT_MAX = 600

export type BuildOptions = {
  /** An existing directory to build in; the module is copied there, so that two builds never meet. */
  readonly directory: string
  /** The folder whose go.mod and go.sum pin k6. */
  readonly moduleDirectory: string
  readonly env: NodeJS.ProcessEnv
  readonly signal?: AbortSignal | undefined
  onProgress(text: string): void
}

/** Builds k6 with Go. Returns the path of the binary; throws a plain sentence with the end of Go's own message. */
export async function buildK6(options: BuildOptions): Promise<string> {
  const moduleCopy = join(options.directory, 'module')
  const output = join(options.directory, process.platform === 'win32' ? 'k6.exe' : 'k6')
  await cp(options.moduleDirectory, moduleCopy, { recursive: true })
  const startMs = performance.now()
  const report = (): void => {
    const seconds = Math.round((performance.now() - startMs) / 1000)
    options.onProgress(`building k6 v${K6_VERSION} with go, about a minute: ${seconds} s`)
  }
  report()
  const timer = setInterval(report, PROGRESS_MS)
  try {
    await goBuild(moduleCopy, output, options)
  } finally {
    clearInterval(timer)
  }
  return output
}

/** Where Go keeps and fetches modules; it has a cache of its own by XDG's rules. */
function isOfGo(name: string): boolean {
  return name.startsWith('GO') || name === 'XDG_CACHE_HOME'
}

function goBuild(directory: string, output: string, options: BuildOptions): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const child = spawn(
    'go',
    ['build', '-trimpath', '-ldflags=-s -w', '-o', output, 'go.k6.io/k6/v2'],
    {
      cwd: directory,
      // Go leaves what it works with where it is killed: so that lies where all is removed.
      env: {
        ...childEnvironment(options.env, isOfGo),
        CGO_ENABLED: '0',
        GOWORK: 'off',
        GOTMPDIR: options.directory,
      },
      stdio: ['ignore', 'ignore', 'pipe'],
      ...(options.signal && { signal: options.signal }),
    },
  )
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors = (errors + text).slice(-ERROR_TEXT_MAX)
  })
  child.once('error', (error: NodeJS.ErrnoException) => {
    reject(error.code === 'ENOENT' ? new Error('go is not installed', { cause: error }) : error)
  })
  child.once('close', (code, signal) => {
    if (code === 0) resolve()
    else reject(new Error(`go build ended with ${code ?? signal}: ${errors.trim()}`))
  })
  return promise
}
