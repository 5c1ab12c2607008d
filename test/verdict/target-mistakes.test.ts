import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { ALL_CHECKS, ALL_INVARIANTS } from '../../conformance/registry.ts'
import { resolveTarget } from '../../harness/target-file/resolve.ts'
import type { VariantName } from '../../reference/base/variants.ts'
import type { FaultName } from '../../reference/faults/faults.ts'
import { demoEnvironment, envNameOf } from '../../reference/seed.ts'
import { listen } from '../../reference/server.ts'
import { createService } from '../../reference/service.ts'
import { targetFile } from '../../reference/target.ts'
import { foldOutcomes } from '../support/fold-outcomes.ts'
import { virtualRun } from '../support/virtual-run.ts'
import { run } from './here.ts'

type Json = Record<string, never>

/** The reference service's own file, with some values changed. */
function written(
  changes: Readonly<Record<string, unknown>>,
  baseUrl = 'http://in-process.invalid',
) {
  const file = structuredClone(targetFile(baseUrl)) as Json
  for (const [name, value] of Object.entries(changes)) change(file, name.split('>'), value)
  const cwd = mkdtempSync(path.join(os.tmpdir(), 'mistake-'))
  onTestFinished(() => rmSync(cwd, { recursive: true }))
  const text = JSON.stringify(file, undefined, 2)
  writeFileSync(path.join(cwd, 'my.json'), text)
  return { cwd, text }
}

/** The reference service with static keys, described by its own file with some values changed, by their dotted names. */
async function runWith(
  changes: Readonly<Record<string, unknown>>,
  only: RegExp,
  {
    faults = [],
    variants = [],
    env = demoEnvironment(),
  }: { faults?: FaultName[]; variants?: VariantName[]; env?: Record<string, string> } = {},
) {
  const { cwd, text } = written(changes)
  const { hazards: _none, ...target } = resolveTarget({ flags: { target: 'my.json' }, env, cwd })
  const { outcomes, session } = await virtualRun({
    target,
    faults,
    service: { variants },
    isPersistent: true,
    checks: ALL_CHECKS.filter(({ id }) => only.test(id)),
    invariants: ALL_INVARIANTS.filter(({ id }) => only.test(id)),
  })
  const folded = foldOutcomes(outcomes, session)
  const lineOf = (part: string): number =>
    text.split('\n').findIndex((line) => line.includes(part)) + 1
  return {
    ...folded,
    lineOf,
    failed: folded.checks.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id),
    before: new Map(outcomes.map(({ check }) => [check.id, check.verdict])),
  }
}

function change(file: Json, names: readonly string[], value: unknown): void {
  const [last = ''] = names.slice(-1)
  let at = file
  for (const name of names.slice(0, -1)) at = at[name] as unknown as Json
  at[last] = value as never
}

describe('a selector that finds nothing', () => {
  it('is told with its line, its correction and what stands there, and fails nothing', async () => {
    const name = 'operations>listServices>selectors>total'
    const { causes, failed, lineOf, before } = await runWith({ [name]: '/data/totl' }, /^catalog\./)
    expect([...before.values()]).toContain('fail')
    expect(failed).toEqual([])
    const line = lineOf('/data/totl')
    expect(causes).toMatchObject([
      {
        kind: 'target-file',
        place: `line ${line} of my.json`,
        nextStep: `Correct line ${line} of my.json: write "/data/total", where how many products match the filters stands.`,
      },
    ])
    expect(causes[0]?.text).toMatch(
      /^target file: operations.listServices.selectors.total, line \d+: "\/data\/totl" finds nothing in any of \d+ answers; "\/data" has services, total, limit, offset$/,
    )
    expect(causes[0]?.blocked).toContain('catalog.pages-have-total')
  })

  it('ends the command line with 5, names the line, and takes nothing out of the scope', async () => {
    const items = { 'operations>listServices>selectors>items': '$.data.services[*].item[*]' }
    const server = await listen(createService())
    onTestFinished(() => server.close())
    const { cwd } = written(items, server.baseUrl)
    const flags = ['--target', path.join(cwd, 'my.json'), '--only', 'catalog', '--no-load']
    const ended = await run('gate', flags, demoEnvironment())
    expect(ended.code, ended.out + ended.err).toBe(5)
    const { checks, causes = [] } = await ended.record()
    expect(checks.filter(({ verdict }) => ['fail', 'inapplicable'].includes(verdict))).toEqual([])
    expect(causes.map(({ kind, blocked }) => [kind, blocked.length > 10])).toEqual([
      ['target-file', true],
    ])
    expect(ended.out).toContain('operations.listServices.selectors.items, line')
    expect(ended.out).toContain('write "$.data.services[*].items[*]"')
  })
})

describe('a product that is not in the catalog', () => {
  it('is told with what the catalog has', async () => {
    const name = 'products>voucher>variables>itemId'
    const { causes, failed, before, lineOf } = await runWith(
      { [name]: 'arcade-l' },
      /^(?:answers|orders|catalog|lookup|idempotency)\./,
    )
    expect([...before.values()].filter((each) => each === 'fail').length).toBeGreaterThan(0)
    expect(failed).toEqual([])
    expect(causes.map(({ text }) => text)).toEqual([
      expect.stringMatching(
        new RegExp(
          `^target file: products.voucher.variables.itemId, line ${lineOf('arcade-l')}: the catalog has no "arcade-l"`,
        ),
      ),
    ])
    expect(causes[0]?.nextStep).toContain('"arcade-1"')
  })

  it('is told where nothing is bought without its item', async () => {
    const name = 'products>quantity>variables>itemId'
    const { causes, failed, lineOf } = await runWith(
      { [name]: 'cristals' },
      /^(?:orders|catalog)\./,
    )
    expect(failed).toEqual([])
    const line = lineOf('cristals')
    expect(causes).toMatchObject([
      {
        text: expect.stringContaining(`line ${line}: the catalog has no item "cristals"`),
        nextStep: expect.stringContaining(`line ${line} of my.json: write "crystals"`),
      },
    ])
    expect(causes[0]?.blocked).toContain('orders.quantity-integer')
  })

  it('is told by the refusals, where the catalog was not read', async () => {
    const name = 'products>voucher>variables>itemId'
    const { causes, failed } = await runWith({ [name]: 'arcade-l' }, /^orders\./)
    expect(failed).toEqual([])
    expect(causes).toMatchObject([{ kind: 'target-file', place: expect.stringContaining('line') }])
  })
})

describe('a product of another type', () => {
  it.each([
    ['esim', 'svc-arcade', 'arcade-1'],
    ['esim', 'svc-books', 'books-25'],
    ['dtu', 'svc-arcade', 'arcade-1'],
  ])('is told where %s names the voucher %s', async (ability, serviceId, itemId) => {
    const { causes, failed, before } = await runWith(
      { [`products>${ability}>variables`]: { serviceId, itemId, topUpAccount: '5550100' } },
      /^catalog\./,
    )
    expect([...before.values()]).toContain('fail')
    expect(failed).toEqual([])
    expect(causes.map(({ text }) => text)).toContainEqual(
      expect.stringMatching(
        new RegExp(
          `^target file: products.${ability}, line \\d+: the catalog lists .* as "voucher"`,
        ),
      ),
    )
  })

  it('is no excuse for a filter without effect', async () => {
    const { failed } = await runWith({}, /^catalog\./, { faults: ['services-esim-type-ignored'] })
    expect(failed).toContain('catalog.type-esim')
  })
})

describe('a body that the service refuses', () => {
  const dtu = (
    targetFile('http://x.invalid') as unknown as {
      operations: { createOrder: { bodies: { dtu: Record<string, unknown> } } }
    }
  ).operations.createOrder.bodies.dtu

  it('is told once, with the field', async () => {
    const { amount, ...others } = dtu
    const { causes, failed } = await runWith(
      { 'operations>createOrder>bodies>dtu': { ...others, amuont: amount } },
      /^(?:orders|catalog|idempotency)\./,
    )
    expect(failed).toEqual([])
    expect(causes.map(({ text }) => text)).toEqual([
      expect.stringMatching(
        /^target file: operations.createOrder.bodies.dtu, line \d+: all \d+ requests with this body were refused \(HTTP 422, field amount MISSING\)$/,
      ),
    ])
  })

  it('names referenceForm where the references look otherwise than the service wants', async () => {
    const only = /^(?:orders|idempotency)\./
    const variants: VariantName[] = ['references-digits']
    const { causes, failed } = await runWith({}, only, { variants })
    expect(failed).toEqual([])
    expect(causes.length).toBeGreaterThan(0)
    for (const { nextStep } of causes)
      expect(nextStep).toContain('state with referenceForm how the service wants its references')
    const stated = await runWith({ referenceForm: 'digits' }, only, { variants })
    expect(stated).toMatchObject({ causes: [], failed: [] })
  })
})

describe('a price that is not the one charged', () => {
  it.each([
    ['voucher', '9.99', '1.00'],
    ['dtu', '1.50', '1.00'],
    ['quantity', '0.03', '0.02'],
    ['esim', '4.00', '4.50'],
  ])('is told with the one that is: %s', async (ability, wrong, right) => {
    const { causes, failed, lineOf } = await runWith(
      { [`products>${ability}>unitPrice`]: wrong },
      /^(?:catalog|orders|esim|transaction-limit)\./,
    )
    expect(failed).toEqual([])
    const line = lineOf(`"unitPrice": "${wrong}"`)
    expect(causes.map(({ text, nextStep }) => [text, nextStep])).toEqual([
      [
        expect.stringContaining(
          `products.${ability}.unitPrice, line ${line}: the file says "${wrong}", but`,
        ),
        `Correct line ${line} of my.json: write "${right}".`,
      ],
    ])
  })

  it('is no excuse for units that cost more than the catalog says', async () => {
    const { causes, failed } = await runWith({}, /^(?:catalog|orders)\./, {
      faults: ['quantity-price-of-one'],
    })
    expect(causes).toEqual([])
    expect(failed).toContain('orders.quantity-price')
  })

  it('ends the command line with 5, though every check passed', async () => {
    const server = await listen(createService())
    onTestFinished(() => server.close())
    const { cwd } = written({ 'products>voucher>unitPrice': '9.99' }, server.baseUrl)
    const flags = ['--target', path.join(cwd, 'my.json'), '--only', 'orders.create', '--no-load']
    const ended = await run('gate', flags, demoEnvironment())
    expect(ended.code, ended.out + ended.err).toBe(5)
    const { checks, exitReason, nextStep } = await ended.record()
    expect(checks.map(({ verdict }) => verdict)).toEqual(['pass'])
    expect(exitReason).toMatch(/^Target file: products.voucher.unitPrice, line \d+: /)
    expect(nextStep).toMatch(/^Correct line \d+ of .*my.json: write "1.00".$/)
    expect(ended.out).toContain(nextStep)
  })
})

/** The key of the role poller may do what that of the role sibling may, and the other way round. */
function swapped(): Record<string, string> {
  const env: Record<string, string> = { ...demoEnvironment() }
  const [poller, sibling] = [envNameOf('poller'), envNameOf('sibling')]
  return { ...env, [poller]: env[sibling] ?? '', [sibling]: env[poller] ?? '' }
}

describe('a key that does not fit its role', () => {
  it('a poller that has every scope', async () => {
    const { causes, failed, before } = await runWith({}, /^auth\.scopes/, { env: swapped() })
    expect([...before.values()]).toContain('fail')
    expect(failed).toEqual([])
    expect(causes.map(({ text }) => text).join('\n')).toMatch(
      /the key of role poller opens listServices.*, so it has the scope product:read, which its role lacks/,
    )
  })

  it('a sibling that has fewer scopes than its role says', async () => {
    const only = /^(?:idempotency\.unique-in-account|reading\.other-key-top-up)$/
    const { causes, failed, before, lineOf } = await runWith({}, only, { env: swapped() })
    expect([...before.values()]).toEqual(['untested', 'pass'])
    expect(failed).toEqual([])
    const line = lineOf('"sibling": {')
    expect(causes).toMatchObject([
      {
        kind: 'target-file',
        place: `line ${line} of my.json`,
        text: `target file: credentials.sibling, line ${line}: the key of role sibling is refused (HTTP 403) by createOrder, so it lacks the scope orders:write, which its role has`,
        blocked: ['idempotency.unique-in-account'],
      },
    ])
    expect(causes[0]?.nextStep).toContain(
      `Correct line ${line} of my.json: give the role a key with product:read, orders:write, orders:read and nothing else.`,
    )
  })

  it('ends the command line with 5, and says what to correct', async () => {
    const server = await listen(createService())
    onTestFinished(() => server.close())
    const { cwd } = written({}, server.baseUrl)
    const only = ['--only', 'idempotency.unique-in-account,reading.other-key-top-up', '--no-load']
    const ended = await run('gate', ['--target', path.join(cwd, 'my.json'), ...only], swapped())
    expect(ended.code, ended.out + ended.err).toBe(5)
    const { checks, exitReason, nextStep } = await ended.record()
    expect(checks.map(({ verdict }) => verdict)).toEqual(['untested', 'pass'])
    expect(exitReason).toMatch(
      /target file: credentials\.sibling, line \d+: the key of role sibling is refused/,
    )
    expect(nextStep).toMatch(
      /^Correct line \d+ of .*my.json: give the role a key with product:read/,
    )
    expect(ended.out).toContain(nextStep)
  })

  it('is the service’s fault where the file states the scopes', async () => {
    const stated = { 'credentials>poller>scopes': ['orders:read'] }
    const { failed } = await runWith(stated, /^auth\.scopes/, { env: swapped() })
    expect(failed).toContain('auth.scopes-poller-forms')
  })
})

describe('a service that is wrong', () => {
  it.each([
    ['services-total-missing', /^catalog\./],
    ['scope-forgotten-on-services', /^auth\.scopes/],
    ['whoami-other-address', /^allowlist\./],
    ['envelope-missing', /^(?:envelope|allowlist)\./],
    ['shape-data', /^(?:envelope|catalog)\./],
    ['rate-limits-omits-admission', /^limits\.report/],
  ] as const)('stays failed with static keys: %s', async (fault, only) => {
    const { failed } = await runWith({}, only, { faults: [fault] })
    expect(failed.length).toBeGreaterThan(0)
  })

  it('the right one has no cause', async () => {
    const { causes } = await runWith({}, /^(?:catalog|orders|auth|lookup|funds)\./)
    expect(causes).toEqual([])
  })
})

describe('a product that is stated to be delivered later', () => {
  it('is a mistake of the file if all its orders are finished at once: what that leaves open is untested', async () => {
    const file = targetFile('http://in-process.invalid') as { products: Record<string, object> }
    const { voucher } = file.products
    const { causes, checks, failed, before } = await runWith(
      { 'products>voucher-async': { ...voucher, completesWithinSeconds: 5 } },
      /^(?:states|unhide)\./,
    )
    expect(before.get('unhide.admission')).toBe('inapplicable')
    expect(checks.find(({ id }) => id === 'unhide.admission')?.verdict).toBe('untested')
    expect(failed).toEqual([])
    expect(checks.filter(({ verdict }) => verdict === 'inconclusive')).toEqual([])
    expect(causes.map(({ text }) => text).join()).toContain('products.voucher-async')
    expect(causes[0]?.nextStep).toContain('name a product that is delivered later')
  })
})
