import { describe, expect, test } from 'vitest'
import { seeded } from '../support/limiter-simulator.ts'
import { VARIANT_NAMES } from '../../reference/base/variants.ts'
import type { VariantName } from '../../reference/base/variants.ts'
import { fits, groupsOf, leftOpen, lineOf, othersThanGreen } from '../support/conforming.ts'
import { virtualRun } from '../support/virtual-run.ts'

/** Known failures: checks that are wrong about a variant. Each must still fail, so that its entry goes with its cause. */
const KNOWN_FAILURES: Readonly<Partial<Record<VariantName, readonly string[]>>> = {}

/** In the whole, one run for each; otherwise in groups, each variant once: VARIANTS=each. */
const RUNS_EACH = process.env['VARIANTS'] === 'each'
/** Many at once, drawn at random: services differ in many ways, not in one. Each density comes once. More of them: CROWDS=150. */
const CROWDS = Number(process.env['CROWDS'] ?? 3)
const DENSITIES = [0.3, 0.5, 0.8] as const
const CROWD_WINDOWS_SECONDS = [1, 2, 60] as const

function crowd(seed: number): VariantName[] {
  const random = seeded(seed)
  const density = DENSITIES[seed % DENSITIES.length] ?? 1
  const drawn = VARIANT_NAMES.map((name) => ({ name, rank: random() }))
    .filter(() => random() < density)
    .toSorted((a, b) => a.rank - b.rank)
  const group: VariantName[] = []
  for (const { name } of drawn) if (fits(name, group)) group.push(name)
  return group
}

const SERVICE = { seed: 7, platformGift: 'enabled' } as const

type Others = { readonly unknown: readonly string[]; readonly healed: readonly string[] }

/** A report that cannot be read leaves open whether it is right. */
function unreported(open: readonly string[], variants: readonly VariantName[]): readonly string[] {
  const isAbsent = variants.includes('rate-limits-absent')
  return isAbsent ? open.filter((line) => !line.startsWith('untested LIMIT-01')) : open
}

async function othersWith(variants: readonly VariantName[], windowSeconds = 2): Promise<Others> {
  const service = { ...SERVICE, variants }
  const { outcomes } = await virtualRun({ windowSeconds, service })
  const known = variants.flatMap((name) => KNOWN_FAILURES[name] ?? [])
  const others = othersThanGreen(outcomes)
  const unknown = others.filter(({ check }) => !known.includes(check.id))
  return {
    unknown: [...unknown.map(lineOf), ...unreported(leftOpen(outcomes), variants)],
    healed: known.filter((id) => others.every(({ check }) => check.id !== id)),
  }
}

test('there are forty variants at least', () => {
  expect(VARIANT_NAMES.length).toBeGreaterThanOrEqual(40)
})

describe('conforming variants keep every check green', () => {
  const groups = RUNS_EACH ? VARIANT_NAMES.map((name) => [name]) : groupsOf(VARIANT_NAMES)
  test.each(groups.map((group) => [group.join(' + '), group] as const))('%s', async (_, group) => {
    expect(await othersWith(group)).toEqual({ unknown: [], healed: [] })
  })
  test.each([
    ['windows-all-unequal', 'checks-counted-twice', 'windows-by-counter'],
    ['windows-all-unequal', 'checks-counted-twice', 'windows-by-first-request'],
    ['windows-all-unequal', 'reads-counted-in-default', 'windows-by-first-request'],
  ] as const)(
    'two windows for one request, whose edges lie apart: %s, %s, %s',
    async (...group) => {
      expect(await othersWith(group)).toEqual({ unknown: [], healed: [] })
    },
  )
  test('a result that delivers nothing but a member of its own', async () => {
    const group = ['voucher-results-null', 'pending-result-empty', 'extra-fields'] as const
    expect(await othersWith(group)).toEqual({ unknown: [], healed: [] })
  })
  test('orders that finish while reads are to find them pending', async () => {
    const service = { ...SERVICE, asyncCompletionMs: 2 }
    const { outcomes } = await virtualRun({ service, isPersistent: true })
    expect([...othersThanGreen(outcomes).map(lineOf), ...leftOpen(outcomes)]).toEqual([])
  })
  test.each(Array.from({ length: CROWDS }, (_, index) => index + 1))('crowd %i', async (seed) => {
    const windowSeconds = CROWD_WINDOWS_SECONDS[seed % CROWD_WINDOWS_SECONDS.length] ?? 2
    const group = crowd(seed)
    const others = await othersWith(group, windowSeconds)
    expect(others, group.join(' + ')).toEqual({ unknown: [], healed: [] })
  })
})
