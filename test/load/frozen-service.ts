/** A service that freezes for a known time: its latency by arithmetic, and by our load. */
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { AccountSource } from '../../harness/accounts/accounts.ts'
import { RealClock } from '../../harness/clock.ts'
import { openModelScenario } from '../../harness/load/attempts.ts'
import type { K6Binary } from '../../harness/load/k6/k6-binary.ts'
import { runLoad } from '../../harness/load/run-load.ts'
import { effectiveLimits } from '../../harness/quota/effective-limits.ts'
import { startEmbedded } from '../../harness/test-server/embedded.ts'
import type { LoadResult } from '../../schemas/generated/run-record.ts'
import { statedLimits } from '../support/stated-limits.ts'

const SECONDS = 8
const SESSIONS_PER_SECOND = 10
/** Three pages and a lookup. */
const REQUESTS_EACH = 4
const PRODUCTS = 15
const RATE = SESSIONS_PER_SECOND * REQUESTS_EACH
export const FROZEN = {
  requests: SECONDS * RATE,
  ratePerSecond: RATE,
  seconds: SECONDS,
  /** From the first request of a session on. */
  afterSeconds: 3,
  forSeconds: 1.5,
} as const
/** The planned moments of the requests are spread evenly: this is no multiple of the time between two sessions. */
const THINK_SECONDS = 0.13

export type FrozenPercentiles = Readonly<Record<'p95' | 'p99', number>>

/** So many requests of all are held, evenly from nothing to the whole freeze. */
export function byArithmetic(): FrozenPercentiles {
  const held = FROZEN.forSeconds / SECONDS
  const at = (share: number): number => 1000 * FROZEN.forSeconds * (1 - (1 - share) / held)
  return { p95: at(0.95), p99: at(0.99) }
}

export type FrozenService = AsyncDisposable & {
  readonly baseUrl: string
  /** For files of those who send. */
  readonly directory: string
}

/** Answers at once, but holds everything from some time after the first request until the freeze is over. */
export async function startFrozenService(): Promise<FrozenService> {
  const directory = await mkdtemp(path.join(tmpdir(), 'harness-frozen-'))
  const server = freezingServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    directory,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      server.close()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

function freezingServer(): Server {
  const services = Array.from({ length: PRODUCTS }, (_, index) => ({ productId: `p-${index}` }))
  let firstMs: number | undefined
  return createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://service')
    const offset = Number(url.searchParams.get('offset') ?? 0)
    request.resume()
    // Requests that only open connections begin nothing.
    if (url.searchParams.has('offset')) firstMs ??= performance.now()
    const sinceSeconds = firstMs === undefined ? 0 : (performance.now() - firstMs) / 1000
    const heldSeconds = FROZEN.afterSeconds + FROZEN.forSeconds - sinceSeconds
    const isHeld = sinceSeconds >= FROZEN.afterSeconds && heldSeconds > 0
    const answer = (): void => {
      response.setHeader('Content-Type', 'application/json')
      response.end(
        JSON.stringify({
          statusCode: 0,
          data: { services: services.slice(offset, offset + 5), total: PRODUCTS },
        }),
      )
    }
    if (isHeld) setTimeout(answer, 1000 * heldSeconds)
    else answer()
  })
}

const accounts = {
  roles: ['full'],
  open: () =>
    Promise.resolve({ key: () => ({ role: 'full', env: '', secret: 'k-1', account: 'a' }) }),
} as unknown as AccountSource

export async function ofHarness(k6: K6Binary, service: FrozenService): Promise<LoadResult> {
  await using embedded = await startEmbedded({ faults: [], windowSeconds: 1 })
  const total = '$.data.total'
  const { listServices } = embedded.target.operations
  const target = {
    ...embedded.target,
    baseUrl: service.baseUrl,
    operations: {
      ...embedded.target.operations,
      listServices: { ...listServices, selectors: { ...listServices.selectors, total } },
    },
  }
  const limits = effectiveLimits({ ...target, limits: statedLimits(1) })
  const ready = openModelScenario(
    'browse',
    { target, limits, accounts, servicesListed: PRODUCTS },
    {
      workload: 'smoke',
      seconds: SECONDS,
      requestsPerSecond: RATE,
      thinkSeconds: THINK_SECONDS,
    },
  )
  if ('lacks' in ready) throw new Error(ready.lacks)
  const [result] = await runLoad([ready], {
    k6,
    reached: target,
    runDir: service.directory,
    clock: new RealClock(),
    attemptsMax: 1,
    onProgress: () => undefined,
  })
  return result as LoadResult
}
