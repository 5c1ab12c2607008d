import { createServer } from 'node:http'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, test } from 'vitest'
import type { LoadResult } from '../../schemas/generated/run-record.ts'
import { RealClock } from '../clock.ts'
import { k6AtHand } from '../../test/support/k6.ts'
import type { K6Binary } from './k6/k6-binary.ts'
import { rateLimitScenario } from './attempts.ts'
import { runLoad } from './run-load.ts'
import type { LoadStream } from './run-load.ts'

const k6 = k6AtHand

/** Long beside the slack of several nodes (250 ms), so that the edges leave most of a window certain on a busy machine too. */
const LIMIT = { count: 20, windowSeconds: 3 }
const ACCOUNT_OF_KEY: Readonly<Record<string, string>> = {
  'secret-a1': 'a',
  'secret-a2': 'a',
  'secret-b1': 'b',
}

/** What the fake server counts by, and how many it admits. */
type Behaviour = {
  readonly counter: (key: string, path: string) => string
  readonly count: number
  readonly retryAfter?: string
  readonly statusCode?: number
  /** HTTP status of every answer, instead of 200 and 429. */
  readonly status?: number
}

const RIGHT: Behaviour = {
  counter: (key, path) => `${ACCOUNT_OF_KEY[key]} ${path}`,
  count: LIMIT.count,
}

/** A limiter of fixed windows, and nothing else, on a free port. */
async function startLimiter(behaviour: Behaviour): Promise<Server> {
  const windowMs = 1000 * LIMIT.windowSeconds
  const used = new Map<string, number>()
  const server = createServer((request, response) => {
    const path = request.url?.split('?')[0] ?? ''
    const nowMs = performance.now()
    const window = Math.floor(nowMs / windowMs)
    const counter = `${window} ${behaviour.counter(String(request.headers['x-api-key']), path)}`
    const before = used.get(counter) ?? 0
    used.set(counter, before + 1)
    const admitted = before < behaviour.count
    const waitSeconds = Math.ceil(((window + 1) * windowMs - nowMs) / 1000)
    response.writeHead(behaviour.status ?? (admitted ? 200 : 429), {
      'Content-Type': 'application/json',
      ...(!admitted && { 'Retry-After': behaviour.retryAfter ?? String(waitSeconds) }),
    })
    response.end(JSON.stringify({ statusCode: admitted ? 0 : (behaviour.statusCode ?? 8) }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return server
}

function stream(name: string, path: string, secrets: readonly string[]): LoadStream {
  return {
    name,
    bucket: 'default',
    partition: `account ${ACCOUNT_OF_KEY[secrets[0] ?? '']} ${path}`,
    limit: LIMIT,
    method: 'GET',
    path: `${path}?limit=1`,
    keys: secrets.map((secret) => ({
      role: secret === 'secret-a2' ? 'sibling' : 'full',
      env: 'TEST_KEY',
      secret,
      account: ACCOUNT_OF_KEY[secret] ?? '',
    })),
  }
}

const STREAMS = [
  stream('services', '/api/v1/services', ['secret-a1', 'secret-a2']),
  stream('whoami', '/whoami', ['secret-a1']),
  stream('services-b', '/api/v1/services', ['secret-b1']),
]

let runsDir = ''

beforeAll(async () => {
  runsDir = await mkdtemp(join(tmpdir(), 'harness-load-test-'))
})
afterAll(async () => {
  await rm(runsDir, { recursive: true, force: true })
})

async function load(
  baseUrl: string,
  { stop, scenarios = 1 }: { stop?: AbortController; scenarios?: number } = {},
): Promise<{
  result: LoadResult
  results: readonly LoadResult[]
  runDir: string
  progress: string[]
}> {
  const runDir = await mkdtemp(join(runsDir, 'run-'))
  const progress: string[] = []
  const scenario = rateLimitScenario({ baseUrl, timing: 'partner' }, STREAMS)
  const results = await runLoad(Array<typeof scenario>(scenarios).fill(scenario), {
    isThere: () => Promise.resolve(false),
    k6: k6 as K6Binary,
    reached: { baseUrl },
    runDir,
    clock: new RealClock(),
    onProgress: (text) => {
      progress.push(text)
      if (/[1-9]\d* (?:of at least \d+ )?requests sent/.test(text)) stop?.abort()
    },
    ...(stop && { signal: stop.signal }),
  })
  return { result: results[0] as LoadResult, results, runDir, progress }
}

async function loadAgainst(behaviour: Behaviour): ReturnType<typeof load> {
  const server = await startLimiter(behaviour)
  try {
    return await load(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

function verdicts({ findings }: LoadResult): Record<string, string> {
  return Object.fromEntries(findings.map(({ requirement, verdict }) => [requirement, verdict]))
}

describe.skipIf(k6 === undefined)(
  'rate-limit-windows with a real k6 (K6_BIN, PATH or cache)',
  () => {
    test.concurrent('a right limiter passes, and every request is accounted for', async ({
      expect,
    }) => {
      const { result, runDir, progress } = await loadAgainst(RIGHT)
      expect(result.reason).toContain('Fixed windows explain all')
      expect(result.verdict).toBe('pass')
      expect(verdicts(result)).toEqual({
        'RATE-01': 'pass',
        'RATE-02': 'pass',
        'RATE-03': 'pass',
        'RATE-04': 'pass',
        'RATE-05': 'pass',
        'RATE-06': 'pass',
        'RATE-07': 'pass',
        'RATE-08': 'pass',
        'RATE-09': 'pass',
        'RATE-10': 'pass',
        'RATE-11': 'pass',
      })
      const { planned, sent, admitted, refused, failed } = result.requests
      expect(sent).toBeGreaterThanOrEqual(planned)
      expect(admitted + refused + failed).toBe(sent)
      expect(result.k6).toMatchObject({ exitCode: 0, thresholdsCrossed: [] })
      expect(result.windows).toHaveLength(STREAMS.length)
      expect(progress.join('\n')).toContain('requests sent')
      expect(await filesWith(runDir, 'secret-')).toEqual([])
    })

    test.concurrent('one request too many in each window fails', async ({ expect }) => {
      const { result } = await loadAgainst({ ...RIGHT, count: LIMIT.count + 1 })
      expect(result.verdict).toBe('fail')
      // Shown whole: what else was blamed, and why.
      expect(result.findings).toContainEqual(
        expect.objectContaining({ requirement: 'RATE-02', verdict: 'fail' }),
      )
    })

    test.concurrent('a counter for each key fails, and is named', async ({ expect }) => {
      const { result } = await loadAgainst({ ...RIGHT, counter: (key, path) => `${key} ${path}` })
      expect(result.verdict).toBe('fail')
      expect(verdicts(result)).toMatchObject({ 'RATE-10': 'fail', 'RATE-02': 'pass' })
    })

    test.concurrent('a counter for all accounts fails, and is named', async ({ expect }) => {
      const { result } = await loadAgainst({ ...RIGHT, counter: (_, path) => path })
      expect(result.verdict).toBe('fail')
      expect(verdicts(result)).toMatchObject({ 'RATE-09': 'fail', 'RATE-05': 'pass' })
      expect(verdicts(result)['RATE-02']).not.toBe('fail')
    })

    test.concurrent('a wrong statusCode and a Retry-After in fractions fail', async ({
      expect,
    }) => {
      const { result } = await loadAgainst({ ...RIGHT, statusCode: 7, retryAfter: '0.5' })
      // Whether windows hold stays open where the machine sends late; single refusals show these.
      expect(verdicts(result)).toMatchObject({
        'RATE-05': 'fail',
        'RATE-06': 'pass',
        'RATE-07': 'fail',
      })
    })

    test.concurrent('a port that nobody listens on is inconclusive', async ({ expect }) => {
      const server = await startLimiter(RIGHT)
      const { port } = server.address() as AddressInfo
      await new Promise((resolve) => server.close(resolve))
      const { result, results } = await load(`http://127.0.0.1:${port}`, { scenarios: 2 })
      expect(results, 'the target is gone, so the second does not begin').toHaveLength(1)
      expect(result.verdict).toBe('inconclusive')
      expect(result.reason).toContain('the target stopped answering')
      expect(result.requests.failed).toBe(result.requests.sent)
      expect(Object.values(verdicts(result))).not.toContain('pass')
    })

    test.concurrent('an undecided scenario is repeated once', async ({ expect }) => {
      const { result, progress } = await loadAgainst({ ...RIGHT, status: 404 })
      expect(result.verdict).toBe('inconclusive')
      expect(result.measurements['attempts']).toBe(2)
      expect(progress.join('\n')).toContain('repeated, since it was inconclusive')
    })

    test.concurrent('an interrupted run keeps what it measured and is no pass', async ({
      expect,
    }) => {
      const server = await startLimiter(RIGHT)
      const { port } = server.address() as AddressInfo
      // Once its evidence holds something: how long k6 takes to begin and to write is the machine's matter.
      const stop = new AbortController()
      const { result } = await load(`http://127.0.0.1:${port}`, { stop })
      server.closeAllConnections()
      server.close()
      expect(result.verdict).toBe('inconclusive')
      expect(result.reason).toContain('interrupted')
      expect(result.requests.sent).toBeGreaterThan(0)
    })
  },
)

async function filesWith(directory: string, text: string): Promise<string[]> {
  const names = await readdir(directory)
  const found: string[] = []
  for (const name of names)
    if ((await readFile(join(directory, name), 'utf8')).includes(text)) found.push(name)
  return found
}
