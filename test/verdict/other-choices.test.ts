import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { ALL_CHECKS } from '../../conformance/registry.ts'
import { resolveDocument } from '../../harness/target-file/resolve-document.ts'
import { resolveTarget } from '../../harness/target-file/resolve.ts'
import type { Target } from '../../harness/target-file/target.ts'
import { DEMO_ROLES, demoEnvironment, demoKey, envNameOf } from '../../reference/seed.ts'
import { listen } from '../../reference/server.ts'
import { createService } from '../../reference/service.ts'
import { targetFile } from '../../reference/target.ts'
import type { VariantName } from '../../reference/base/variants.ts'
import { lineOf, othersThanGreen } from '../support/conforming.ts'
import { virtualRun } from '../support/virtual-run.ts'
import { run } from './command-line.ts'

const FILE = path.join(import.meta.dirname, '..', '..', 'targets', 'other-choices.target.json')

/** A service whose choices, wherever the interface leaves one, are not those of the reference service. */
const VARIANTS = [
  'stranger',
  'codes-other',
  'replay-answers-201',
  'refused-keys-403',
] as const satisfies readonly VariantName[]

/** The file's own names for what the reference service's file calls otherwise. */
const NAMES = { serviceId: 'line', itemId: 'code', topUpAccount: 'player' } as const
const variableOf = (role: (typeof DEMO_ROLES)[number]): string =>
  envNameOf(role).replace('ORDERING_KEY_', 'OTHER_SHOP_')

const ENV = Object.fromEntries(DEMO_ROLES.map((role) => [variableOf(role), demoKey(role)]))

function resolved(baseUrl = 'http://in-process.invalid'): Target {
  const { hazards: _none, ...target } = resolveTarget({
    flags: { target: FILE, baseUrl },
    env: ENV,
    cwd: '/',
  })
  // In this process a caller can come from any address, as the embedded service's can.
  return { ...target, kind: 'embedded', faults: [] }
}

type File = Readonly<Record<'capabilities' | 'operations' | 'products' | 'answers', unknown>>

function withFileNames({ capabilities, operations, products, answers }: File): unknown {
  let text = JSON.stringify({ capabilities, operations, products, answers })
  for (const [theirs, ours] of Object.entries(NAMES)) text = text.replaceAll(theirs, ours)
  return JSON.parse(text)
}

describe('targets/other-choices.target.json', () => {
  it('describes the service that it is tested with', () => {
    const { capabilities, operations, products, answers } = JSON.parse(
      readFileSync(FILE, 'utf8'),
    ) as File
    const service = targetFile('http://any.invalid', undefined, { variants: VARIANTS }) as File
    expect({ capabilities, operations, products, answers }).toEqual(withFileNames(service))
  })

  it('differs from the reference service wherever the interface leaves a choice', () => {
    const own = targetFile('http://any.invalid') as { operations: Target['operations'] }
    const other = resolved().operations
    for (const operation of ['lookupItems', 'getItem', 'getBalance', 'getLedger'] as const)
      expect(other[operation].path).not.toBe(own.operations[operation].path)
    for (const operation of ['whoami', 'listServices', 'getOrders', 'rateLimits'] as const)
      expect(other[operation].selectors).not.toEqual(own.operations[operation].selectors)
    for (const [kind, body] of Object.entries(own.operations.createOrder.bodies))
      expect(other.createOrder.bodies[kind as 'shop']).not.toEqual(body)
  })

  it('is all that the whole suite needs to judge that service', async () => {
    const target = { ...resolved(), control: { baseUrl: 'http://in-process.invalid' } }
    const { outcomes } = await virtualRun({ target, service: { variants: VARIANTS } })
    expect(othersThanGreen(outcomes).map(lineOf)).toEqual([])
    const decided = outcomes.filter(({ check }) => check.verdict === 'pass')
    expect(decided.length).toBeGreaterThan(200)
  })

  it('another file than its own does not do for that service', async () => {
    const checks = ALL_CHECKS.filter(({ id }) => /^(?:lookup|cart|orders)\./.test(id))
    const own = targetFile('http://in-process.invalid', 'http://in-process.invalid')
    const { hazards: _none, ...target } = resolveDocument(own, {
      name: 'own',
      env: demoEnvironment(),
    })
    const { outcomes } = await virtualRun({
      checks,
      target: { ...target, kind: 'url', faults: [] },
      service: { variants: VARIANTS },
    })
    expect(othersThanGreen(outcomes).length).toBeGreaterThan(20)
  })

  it('serves the command line, with keys of its own names', async () => {
    const server = await listen(createService({ variants: VARIANTS }))
    onTestFinished(() => server.close())
    const flags = ['--target', FILE, '--base-url', server.baseUrl]
    const ended = await run('conformance', [...flags, '--only', 'lookup,reading.filters'], ENV)
    expect(ended.code, ended.out + ended.err).toBe(0)
    const { target, checks } = await ended.record()
    expect(target).toMatchObject({ name: 'other choices', baseUrl: server.baseUrl })
    expect(checks.filter(({ verdict }) => verdict === 'pass').length).toBeGreaterThan(3)
  })
})
