import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { bundleScenario } from '../k6/bundle.ts'
import { planLoad, slackFor } from './plan.ts'
import type { LoadStream } from './plan.ts'
import { LOAD_SCENARIOS, selectScenarios, startOrder } from '../shared/scenarios.ts'

const TARGET = { baseUrl: 'http://127.0.0.1:1', timing: 'strict' } as const

function stream(count: number, windowSeconds: number, secrets: readonly string[]): LoadStream {
  return {
    name: 'services',
    bucket: 'default',
    partition: 'account a services',
    limit: { count, windowSeconds },
    method: 'GET',
    path: '/api/v1/services?limit=1',
    keys: secrets.map((secret) => ({ role: 'full', env: 'KEY', secret, account: 'a' })),
  }
}

test('a plan says what it sends and how long it takes, and holds no key', () => {
  const plan = planLoad('rate-limit-windows', TARGET, [
    stream(1000, 60, ['one-secret', 'two-secret']),
    stream(2, 60, ['one-secret']),
  ])
  expect(plan.requestsMin).toBe(3 * 1002 + 2 * 180)
  expect(plan.requestsMax).toBeGreaterThan(plan.requestsMin)
  expect(plan.expectedSeconds).toBe(127)
  expect(plan.wallSecondsMax).toBe(430)
  expect(plan.secrets).toEqual({ HARNESS_KEY_0: 'one-secret', HARNESS_KEY_1: 'two-secret' })
  expect(plan.file.streams.map(({ keyEnvs }) => keyEnvs)).toEqual([
    ['HARNESS_KEY_0', 'HARNESS_KEY_1'],
    ['HARNESS_KEY_0'],
  ])
  expect(plan.file.streams.map(({ parallel }) => parallel)).toEqual([20, 1])
  expect(JSON.stringify(plan.file)).not.toContain('secret')
})

test('every key of a stream has its place in a batch', () => {
  const plan = planLoad('rate-limit-windows', TARGET, [stream(2, 60, ['one', 'two'])])
  expect(plan.file.streams[0]?.parallel).toBe(2)
})

function probesMax(windowSeconds: number): number {
  const streams = [stream(1, windowSeconds, ['one'])]
  const { requestsMin, requestsMax } = planLoad('rate-limit-windows', TARGET, streams)
  return requestsMax - requestsMin
}

test('a window of an hour is not probed four times a second', () => {
  expect(probesMax(3600)).toBeLessThan(3 * probesMax(60))
})

test('the slack never blurs more than a tenth of a window', () => {
  expect(slackFor('strict', 60)).toBe(50)
  expect(slackFor('partner', 60)).toBe(250)
  expect(slackFor('partner', 1)).toBe(100)
})

test('an unknown scenario is an error that names the known ones', () => {
  expect(() => selectScenarios(['rate-limits'])).toThrow('no load scenario "rate-limits"')
  expect(selectScenarios()).toBe(LOAD_SCENARIOS)
})

test('what uses windows up comes last where scenarios share accounts', () => {
  const [windows, ...others] = LOAD_SCENARIOS
  expect(startOrder(LOAD_SCENARIOS, { fresh: true })).toEqual(LOAD_SCENARIOS)
  expect(startOrder(LOAD_SCENARIOS, { fresh: false })).toEqual([...others, windows])
})

test('every scenario has a k6 script, and every script has a scenario', async () => {
  const entries = await readdir(join(import.meta.dirname, '..', '..', '..', 'load', 'scenarios'))
  const names = entries.map((entry) => entry.replace(/\.k6\.ts$/, ''))
  const scripts = new Set(LOAD_SCENARIOS.map(({ script }) => script))
  expect(new Set(names)).toEqual(scripts)
})

test('a bundle keeps k6 modules out and syntax that k6 lacks away', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'harness-bundle-test-'))
  try {
    const text = await readFile(await bundleScenario('rate-limit-windows', directory), 'utf8')
    expect(text).toContain('from "k6/http"')
    expect(text).not.toMatch(/from "\.|async function\*/)
    await expect(bundleScenario('nothing', directory)).rejects.toMatchObject({ code: 'E_USAGE' })
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
})
