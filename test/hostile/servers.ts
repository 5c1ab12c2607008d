/** What probes are pointed at: the reference service that goes wrong in one way, and servers that are none. */
import { setTimeout as sleep } from 'node:timers/promises'
import { BUCKETS, DEFAULT_LIMITS } from '../../contract/limits.ts'
import { listen } from '../../reference/server.ts'
import { createService, type ServiceOptions } from '../../reference/service.ts'
import { demoEnvironment } from '../../reference/seed.ts'
import { frontedService, frontOf, targetOnDisk, type Front } from '../verdict/servers.ts'
import type { Against } from './row.ts'

/** No server at all: what is asked for is refused before anything is sent. */
export const nothing = (): Promise<Against> =>
  Promise.resolve({ parameters: [], async [Symbol.asyncDispose]() {} })

type File = Record<string, unknown>

const TURN_MS = 20

export type ServiceProbe = {
  readonly service?: ServiceOptions
  /** Changes the target file. */
  readonly file?: (file: File) => unknown
  /** Roles whose keys a probe in turn gets. Default: all. */
  readonly roles?: readonly string[]
}

/** The reference service behind a front, described by its target file. */
export async function service(
  front?: Front,
  { service: options, file, roles }: ServiceProbe = {},
): Promise<Against> {
  const fronted = await frontedService(front, options)
  const target = await targetOnDisk(fronted.baseUrl, file)
  return {
    parameters: ['--target', target.file],
    env: Object.fromEntries(
      Object.entries(target.env).filter(
        ([name]) => !roles || roles.some((role) => name.endsWith(role.toUpperCase())),
      ),
    ),
    async [Symbol.asyncDispose]() {
      await target[Symbol.asyncDispose]()
      await fronted[Symbol.asyncDispose]()
    },
  }
}

/** Any server, known by its address alone. */
export async function stranger(
  server: Promise<AsyncDisposable & { readonly baseUrl: string }>,
): Promise<Against> {
  const opened = await server
  return {
    parameters: ['--base-url', opened.baseUrl],
    env: demoEnvironment(),
    [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
  }
}

/**
 * The reference service, which ends after so many requests and begins anew on the same port, with nothing that it knew. It is away for
 * so many turns of this process, which is the run's too: whatever else the machine does, requests fall into that time.
 */
export async function restarting(requests: number, turns: number): Promise<Against> {
  let left = requests
  let restarted = Promise.resolve()
  const first = createService()
  const server = await listen({
    ...first,
    handle: (request) => {
      left -= 1
      if (left === 0) restarted = restart()
      return first.handle(request)
    },
  })
  let running = server
  const restart = async (): Promise<void> => {
    await running.close()
    for (let turn = 0; turn < turns; turn++) await sleep(TURN_MS)
    running = await listen(createService(), { port: Number(new URL(server.baseUrl).port) })
  }
  const target = await targetOnDisk(server.baseUrl)
  return {
    parameters: ['--target', target.file],
    env: target.env,
    async [Symbol.asyncDispose]() {
      await restarted
      await running.close()
      await target[Symbol.asyncDispose]()
    },
  }
}

/** The interface's counts in windows that a probe can wait for. */
const QUICK = Object.fromEntries(
  BUCKETS.filter((bucket) => bucket !== 'orders.unhide.admission').map((bucket) => [
    bucket,
    { count: DEFAULT_LIMITS[bucket].count, windowSeconds: 10 },
  ]),
)

/** The reference service, which after so many requests forgets all that it knew, with no connection broken. */
export async function forgetting(requests: number): Promise<Against> {
  const options = { limits: QUICK }
  let current = createService(options)
  const server = await listen({ ...current, handle: (request) => current.handle(request) })
  let seen = 0
  const front = await frontOf(server.baseUrl, () => {
    seen += 1
    if (seen === requests) current = createService(options)
    return 'pass'
  })
  const target = await targetOnDisk(front.baseUrl)
  return {
    parameters: ['--target', target.file],
    env: target.env,
    async [Symbol.asyncDispose]() {
      await target[Symbol.asyncDispose]()
      await front[Symbol.asyncDispose]()
      await server.close()
    },
  }
}
