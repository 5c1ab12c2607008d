import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { LiveEvidence } from './live.ts'
import { fitting } from '../../gate/progress.ts'
import { liveViewOf } from '../live-views.ts'
import { openModelPlan } from '../../../test/load/sample-open-model.ts'
import type { PlannedAttempt } from '../planned-attempt.ts'

let directory = ''
let path = ''
let clockMs = 0

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'harness-live-'))
  path = join(directory, 'evidence.txt')
  clockMs = 50_000
})
afterEach(async () => {
  await rm(directory, { recursive: true, force: true })
})

const WINDOW_SECONDS = 2

/** Of a schedule of two seconds. */
function openModel(windowSeconds = WINDOW_SECONDS): LiveEvidence {
  const context = { limits: { default: { windowSeconds } } }
  const attempt = {
    kind: 'open-model',
    plan: openModelPlan(),
    context,
  } as unknown as PlannedAttempt
  return new LiveEvidence([path], liveViewOf(attempt), () => clockMs)
}

/** Milliseconds since the test started; its schedule begins at 500. */
function exchange(
  session: number,
  dueMs: number,
  status = 200,
  retryAfter = '-',
  code = '-',
): string {
  const times = [dueMs, dueMs, dueMs + 10, 10].map((ms) => 1000 * ms).join(' ')
  return `a ${session} 0 0 ${times} ${status} ${code} ${retryAfter} - r - - - - - - - -\n`
}

const HEAD = 'h 3 1700000000000 20000 500000\n'

test('before k6 has written anything, nothing is claimed', async () => {
  expect(await openModel().poll()).toMatch(
    /^browse: about \d+ s left, at most \d+ s · 0 requests sent$/,
  )
})

test('what is new is read, and a line that is half written waits for its rest', async () => {
  const live = openModel()
  const line = exchange(0, 1000)
  await writeFile(path, HEAD + exchange(0, 600) + line.slice(0, 12))
  expect(await live.poll()).toContain('1 requests sent')
  await appendFile(path, line.slice(12))
  expect(await live.poll()).toContain('1 of 2 s · ')
})

test('before the span has passed, rates are those of the time so far', async () => {
  const early = [600, 700, 1500].map((dueMs, index) => exchange(index, dueMs)).join('')
  await writeFile(path, HEAD + early)
  const live = openModel()
  await live.poll()
  clockMs += 590
  expect(await live.poll()).toContain(
    '2.0/s offered, 2.0 answered · p95 10 ms, 0 failed, 0 refused, 3 admitted in the last 2 s',
  )
})

test('rates and outcomes are those of the last span, which a short window ends', async () => {
  await writeFile(
    path,
    HEAD + exchange(0, 600) + exchange(1, 3000) + exchange(2, 3200, 429, '2') + exchange(3, 3400),
  )
  const text = await openModel().poll()
  expect(text).toContain('1.5/s offered, 1.5 answered')
  expect(text).toContain('p95 10 ms, 0 failed, 1 refused, 2 admitted in the last 2 s')
})

test('with windows of a minute, rates and outcomes are those of the last five seconds', async () => {
  const stalled = exchange(0, 600) + exchange(1, 1000, 503) + exchange(2, 10_000)
  await writeFile(path, HEAD + stalled)
  expect(await openModel(60).poll()).toContain(
    '0.2/s offered, 0.2 answered · p95 10 ms, 0 failed, 0 refused, 1 admitted in the last 5 s',
  )
})

test('80 columns show rates, p95, failures and refusals', async () => {
  const many = Array.from({ length: 1000 }, (_, index) => exchange(index, 600 + 2 * index))
  await writeFile(path, HEAD + many.join(''))
  const shown = fitting(`[ 10.2 s] ${await openModel().poll()}`, 79)
  expect(shown).toMatch(/: 498\/s offered, 500 answered · p95 10 ms, 0 failed, 0 refused$/)
})

test('what is left of the run is bounded, and goes down', async () => {
  await writeFile(path, HEAD + exchange(0, 600, 503) + exchange(1, 700, 429, '9999'))
  const live = openModel()
  const left = async (): Promise<number> => Number(/at most (\d+) s/.exec(await live.poll())?.[1])
  const before = await left()
  clockMs += 5000
  expect(await left()).toBe(before - 5)
  expect(await live.poll()).toContain(`up to ${before - 5} s more`)
  clockMs += 1e7
  expect(await left()).toBe(0)
})

test('it says who waits, until they are answered, end, or their time is up', async () => {
  const live = openModel()
  await writeFile(path, HEAD + exchange(0, 600, 429, '3') + exchange(1, 700, 429, '2'))
  expect(await live.poll()).toContain('2 wait for the end of Retry-After, up to 3 s more')
  clockMs += 2200
  expect(await live.poll()).toContain('1 wait for the end of Retry-After, up to 1 s more')
  await appendFile(path, exchange(0, 3600))
  expect(await live.poll()).not.toContain('wait')
})

test('a stream of windows shows its phase', async () => {
  const plan = {
    scenario: 'rate-limit-windows',
    requestsMin: 9,
    expectedSeconds: 6,
    wallSecondsMax: 30,
    streams: [{ limit: { windowSeconds: 2 } }],
  }
  const attempt = { kind: 'windows', plan } as unknown as PlannedAttempt
  await writeFile(path, 'h 1 0 1700000000000 20\nx 0 0 3 1000 2000 200 - - r\n')
  const live = new LiveEvidence([path], liveViewOf(attempt), () => clockMs)
  expect(await live.poll()).toMatch(
    /probe · 1\.0\/s offered.* · about 6 s left, at most 30 s · 1 of at least 9 requests sent/,
  )
})

test('a malformed line is left to the importer', async () => {
  await writeFile(path, `${HEAD}a what is this\n${exchange(0, 600)}`)
  expect(await openModel().poll()).toContain('1 requests sent')
})

test('a client that gives up is no failure of the service, and is named', async () => {
  const lost = exchange(0, 600, 0, '-', '1050') + exchange(1, 700, 0, '-', '1212')
  await writeFile(path, HEAD + lost + exchange(2, 800))
  expect(await openModel().poll()).toContain(
    'p95 10 ms, 1 failed, 0 refused, 1 admitted, 1 given up by the client',
  )
})
