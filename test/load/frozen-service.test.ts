/** A service that freezes shows in the latencies as arithmetic says, and as k6's own constant arrival rate shows it in the same run. */
import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { once } from 'node:events'
import { afterAll, beforeAll, describe, test } from 'vitest'
import type { AccountSource } from '../../harness/accounts/accounts.ts'
import { RealClock } from '../../harness/clock.ts'
import type { K6Binary } from '../../harness/load/k6/k6-binary.ts'
import { openModelScenario } from '../../harness/load/attempts.ts'
import { runLoad } from '../../harness/load/run-load.ts'
import { effectiveLimits } from '../../harness/quota/effective-limits.ts'
import { startEmbedded } from '../../harness/test-server/embedded.ts'
import type { LoadResult } from '../../schemas/generated/run-record.ts'
import { k6AtHand } from '../support/k6.ts'
import { statedLimits } from '../support/stated-limits.ts'

const SECONDS = 8
const SESSIONS_PER_SECOND = 10
/** Three pages and a lookup. */
const REQUESTS_EACH = 4
const PRODUCTS = 15
const RATE = SESSIONS_PER_SECOND * REQUESTS_EACH
/** The planned moments of the requests are spread evenly: this is no multiple of the time between two sessions. */
const THINK_SECONDS = 0.13
const FREEZE = { afterSeconds: 3, seconds: 1.5 } as const

let directory = ''
let server: Server

beforeAll(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'harness-frozen-test-'))
  server = freezingServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterAll(async () => {
  server.closeAllConnections()
  server.close()
  await rm(directory, { recursive: true, force: true })
})

/** Answers at once, but holds everything from FREEZE.afterSeconds after the first request of a session until the freeze is over. */
function freezingServer(): Server {
  const services = Array.from({ length: PRODUCTS }, (_, index) => ({ productId: `p-${index}` }))
  let firstMs: number | undefined
  return createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://service')
    const offset = Number(url.searchParams.get('offset') ?? 0)
    request.resume()
    if (url.searchParams.has('offset')) firstMs ??= performance.now()
    const sinceSeconds = firstMs === undefined ? 0 : (performance.now() - firstMs) / 1000
    const heldSeconds = FREEZE.afterSeconds + FREEZE.seconds - sinceSeconds
    const isHeld = sinceSeconds >= FREEZE.afterSeconds && heldSeconds > 0
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

function baseUrl(): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const accounts = {
  roles: ['full'],
  open: () =>
    Promise.resolve({ key: () => ({ role: 'full', env: '', secret: 'k-1', account: 'a' }) }),
} as unknown as AccountSource

async function ofHarness(k6: K6Binary): Promise<LoadResult> {
  await using embedded = await startEmbedded({ faults: [], windowSeconds: 1 })
  const total = '$.data.total'
  const { listServices } = embedded.target.operations
  const target = {
    ...embedded.target,
    baseUrl: baseUrl(),
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
    runDir: directory,
    clock: new RealClock(),
    attemptsMax: 1,
    onProgress: () => undefined,
  })
  return result as LoadResult
}

type Percentiles = Readonly<Record<'p(90)' | 'p(95)' | 'p(99)' | 'max', number>>

async function ofPlainK6(k6: K6Binary): Promise<Percentiles> {
  const [script, summary] = ['plain.js', 'plain.json'].map((name) => path.join(directory, name))
  await writeFile(
    script as string,
    `import http from 'k6/http'
export const options = {
  summaryTrendStats: ['p(90)', 'p(95)', 'p(99)', 'max'],
  scenarios: { even: { executor: 'constant-arrival-rate', rate: ${RATE}, timeUnit: '1s', duration: '${SECONDS}s', preAllocatedVUs: 90 } },
}
export default function () { http.get('${baseUrl()}/plain') }
export const handleSummary = (data) => ({ ${JSON.stringify(summary)}: JSON.stringify(data.metrics.http_req_duration.values) })
`,
  )
  const child = spawn(k6.path, ['run', '--quiet', '--no-usage-report', script as string], {
    stdio: 'ignore',
  })
  await once(child, 'exit')
  return JSON.parse(await readFile(summary as string, 'utf8')) as Percentiles
}

/** So many requests of all are held, evenly from nothing to the whole freeze. */
function expectedMs(share: number): number {
  const held = FREEZE.seconds / SECONDS
  return 1000 * FREEZE.seconds * (1 - (1 - share) / held)
}

describe.skipIf(k6AtHand === undefined)('a service frozen for 1.5 of 8 s', () => {
  test(
    'holds up as many requests as were planned in that time',
    { timeout: 60_000 },
    async ({ expect, annotate }) => {
      const k6 = k6AtHand as K6Binary
      const [result, plain] = await Promise.all([ofHarness(k6), ofPlainK6(k6)])
      const { admitted, admittedService } = result.latency as NonNullable<LoadResult['latency']>
      expect(admitted.count).toBe(SECONDS * RATE)
      const rows = (['msP95', 'msP99'] as const).map((name) => {
        const share = name === 'msP95' ? 0.95 : 0.99
        return {
          name,
          arithmetic: expectedMs(share),
          plain: plain[`p(${100 * share})` as keyof Percentiles],
          fromDue: admitted[name],
          fromSent: admittedService[name],
        }
      })
      await annotate(JSON.stringify(rows))
      for (const { arithmetic, plain: ofK6, fromDue } of rows) {
        expect(Math.abs(fromDue / arithmetic - 1)).toBeLessThan(0.1)
        expect(Math.abs(ofK6 / arithmetic - 1)).toBeLessThan(0.1)
      }
      // What k6 sent in a session alone hides it: four requests of five were not sent while the service was frozen.
      expect(admittedService.msP95).toBeLessThan(expectedMs(0.95) / 2)
      expect(offeredIn(result, FREEZE)).toBeGreaterThan(0.8 * RATE * FREEZE.seconds)
    },
  )
})

/** Requests that were due while the service was frozen, but for the slices at its edges. */
function offeredIn({ series = [] }: LoadResult, { afterSeconds, seconds }: typeof FREEZE): number {
  return series
    .filter(
      ({ fromSeconds }) => fromSeconds >= afterSeconds && fromSeconds < afterSeconds + seconds,
    )
    .reduce((sum, { offered }) => sum + offered, 0)
}
