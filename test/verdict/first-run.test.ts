/** The first run of a newcomer: a base URL and a key, and a service that is right, whatever its limits are. Nothing of it may be red. */
import { describe, expect, onTestFinished, test } from 'vitest'
import { ALL_CHECKS } from '../../conformance/registry.ts'
import { resolveDocument } from '../../harness/target-file/resolve-document.ts'
import type { Target } from '../../harness/target-file/target.ts'
import type { FaultName } from '../../reference/faults/faults.ts'
import { demoKey } from '../../reference/seed.ts'
import { listen } from '../../reference/server.ts'
import { createService } from '../../reference/service.ts'
import type { ServiceOptions } from '../../reference/base/types.ts'
import { lineOf } from '../support/conforming.ts'
import { foldOutcomes } from '../support/fold-outcomes.ts'
import { virtualRun, type VirtualRun } from '../support/virtual-run.ts'
import { run } from './here.ts'

const perMinute = (count: number): { count: number; windowSeconds: number } => {
  return { count, windowSeconds: 60 }
}

/** Legal all of them: budgets and windows are what GET /rate-limits says, and nobody reads it. */
const SERVICES: Readonly<Record<string, ServiceOptions>> = {
  'the defaults': {},
  'a tighter default': { limits: { default: perMinute(300) } },
  'a looser default': { limits: { default: perMinute(5000) } },
  'a shorter default': { limits: { default: { count: 100, windowSeconds: 7 } } },
  'a longer default': { limits: { default: { count: 400, windowSeconds: 90 } } },
  'a listing of 5': { limits: { 'orders.list': perMinute(5) } },
  'a listing of 1 in ten minutes': { limits: { 'orders.list': { count: 1, windowSeconds: 600 } } },
  'masked reads of 7 in 20 s': { limits: { 'orders.filtered': { count: 7, windowSeconds: 20 } } },
  'no rules of reading orders': { variants: ['listing-rules-absent'] },
  'tighter GET /services': { variants: ['services-window-tighter'] },
  'looser GET /services': { variants: ['services-window-looser'] },
  'windows of each length': {
    variants: ['windows-all-unequal'],
    windowPhase: 'first-request',
  },
  'every path below /api/v1, and a page elsewhere': {
    variants: ['prefix-everywhere', 'unknown-paths-answered-elsewhere'],
  },
  'budgets of an order or two': { variants: ['limits-small'], windowPhase: 'counter' },
}

/** What a base URL and a key alone make of a target. */
function urlAndKey(): Target {
  const { hazards: _none, ...target } = resolveDocument(
    { baseUrl: 'http://in-process.invalid' },
    { name: 'first-run', env: { ORDERING_KEY: demoKey('full') } },
  )
  return target
}

function firstRun(service: ServiceOptions, faults: readonly FaultName[] = []): Promise<VirtualRun> {
  const target = urlAndKey()
  return virtualRun({ target, windowSeconds: 60, service, faults, startsAfterMs: 17_300 })
}

/** As the record has them: what the target file lacks is folded. */
function linesOf({ outcomes, session }: VirtualRun, ...verdicts: readonly string[]): string[] {
  const folded = foldOutcomes(outcomes, session).checks.map((check) => ({ check }))
  return folded.filter(({ check }) => verdicts.includes(check.verdict)).map(lineOf)
}

describe('with a base URL and a key alone', () => {
  test.each(Object.entries(SERVICES))('%s: nothing is red', async (_, service) => {
    const first = await firstRun(service)
    expect(linesOf(first, 'fail', 'error', 'inconclusive')).toEqual([])
    expect(linesOf(first, 'pass').length).toBeGreaterThan(15)
  })

  test('nor where a bad key is refused before the path is looked for', async () => {
    const name = 'every path below /api/v1, and a page elsewhere'
    const first = await virtualRun({
      target: urlAndKey(),
      service: SERVICES[name] ?? {},
      network: (transport) => ({
        ...transport,
        send: (request, ...rest) => {
          const isKnown = request.headers.some(([, value]) => value === demoKey('full'))
          const url = isKnown ? request.url : 'http://in-process.invalid/api/v1/services'
          return transport.send({ ...request, url }, ...rest)
        },
      }),
    })
    expect(linesOf(first, 'fail', 'error')).toEqual([])
    expect(linesOf(first, 'untested').join()).toContain('target file: operations.whoami.path')
  })

  test.each(['the defaults', 'a tighter default', 'tighter GET /services'])(
    '%s: sizes are asserted only where they are those of the interface',
    async (name) => {
      const { outcomes } = await firstRun(SERVICES[name] ?? {})
      const services = outcomes.find(({ check }) => check.id === 'limits.window-services')?.check
      const verdicts = new Map(services?.findings.map((each) => [each.requirement, each.verdict]))
      const sized = name === 'the defaults' ? 'pass' : 'untested'
      expect([verdicts.get('RATE-01'), verdicts.get('RATE-02')]).toEqual([sized, sized])
      expect([verdicts.get('RATE-03'), verdicts.get('RATE-08')]).toEqual(['pass', 'pass'])
      const hint = services?.findings.find(({ requirement }) => requirement === 'LIMIT-01')
      expect(hint?.statement).toContain('"operations.listServices.count"')
    },
  )

  test.each<[FaultName, string]>([
    ['window-sliding-log', 'RATE-03'],
    ['retry-after-missing', 'RATE-06'],
    ['retry-after-http-date', 'RATE-07'],
    ['retry-after-always-one', 'RATE-08'],
  ])('%s is found all the same (%s), with limits that nobody told', async (fault, requirement) => {
    const { outcomes } = await firstRun(SERVICES['a tighter default'] ?? {}, [fault])
    const broken = outcomes.flatMap(({ check }) =>
      check.findings.filter(({ verdict }) => verdict === 'fail').map((each) => each.requirement),
    )
    expect(broken).toContain(requirement)
  })
})

/** Limits are neither read nor stated: how the check of windows that keys share ends. */
async function sharedByKeys(
  service: ServiceOptions,
  faults: readonly FaultName[] = [],
): Promise<string[]> {
  const { hazards: _none, ...target } = resolveDocument(
    {
      baseUrl: 'http://in-process.invalid',
      credentials: { full: { env: 'FULL' }, sibling: { env: 'SIBLING' } },
    },
    { name: 'two-keys', env: { FULL: demoKey('full'), SIBLING: demoKey('sibling') } },
  )
  const checks = ALL_CHECKS.filter(({ id }) => id === 'limits.shared-by-keys')
  const more = { checks, windowSeconds: 60, startsAfterMs: 17_300 }
  const { outcomes } = await virtualRun({ target, service, faults, ...more, invariants: [] })
  return outcomes.map(({ check }) => check.verdict)
}

describe('with two keys of an account', () => {
  test.each(Object.entries(SERVICES))(
    '%s: a window of each key is found, and a shared one passes',
    async (_, service) => {
      expect(await sharedByKeys(service, ['window-counter-per-key'])).toEqual(['fail'])
      expect(await sharedByKeys(service)).toEqual(['pass'])
    },
  )
})

/** Short, so that the test is: legal all the same. */
const SHORT = {
  default: { count: 30, windowSeconds: 3 },
  'orders.list': { count: 5, windowSeconds: 2 },
}

test('our own command line ends with 5 and says what to add', async () => {
  const server = await listen(createService({ limits: SHORT }))
  onTestFinished(() => server.close())
  const ended = await run(
    'gate',
    [
      '--base-url',
      server.baseUrl,
      '--only',
      'limits.window-services,limits.window-listing',
      '--scenario',
      'rate-limit-windows',
      '--scenario',
      'browse',
    ],
    { ORDERING_KEY: demoKey('full') },
  )
  expect(ended.code, ended.out).toBe(5)
  const { checks, load } = await ended.record()
  expect(checks.map(({ verdict }) => verdict)).not.toContain('fail')
  const findings = checks.flatMap((each) => each.findings)
  const passed = findings
    .filter(({ verdict }) => verdict === 'pass')
    .map((each) => each.requirement)
  // What needs the edge of a window may stay open on a busy machine: virtual time decides it above.
  expect(passed).toEqual(expect.arrayContaining(['RATE-04', 'RATE-06']))
  expect(findings.filter(({ verdict }) => verdict === 'fail')).toEqual([])
  expect(load.map(({ verdict }) => verdict)).toEqual(['untested', 'untested'])
  expect(ended.out).toContain('operations.rateLimits.selectors')
})
