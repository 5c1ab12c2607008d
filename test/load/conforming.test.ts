/** Services that conform, under other workloads and with legal differences: load blames none of them. */
import { expect, test } from 'vitest'
import type { Workload } from '../../harness/load/open-model/workloads.ts'
import { VARIANT_NAMES, VARIANTS } from '../../reference/base/variants.ts'
import type { VariantFact, VariantName } from '../../reference/base/variants.ts'
import { SCENARIO_NAMES } from './load-faults.ts'
import { virtualLoad, virtualLoadOn, type VirtualScenario } from './virtual-load.ts'
import { virtualNetwork } from './virtual-network.ts'

function blamed({ findings }: Awaited<ReturnType<typeof virtualLoad>>): string[] {
  return findings
    .filter(({ verdict }) => verdict === 'fail')
    .map(({ requirement, observed }) => `${requirement}: ${observed}`)
}

test.each<[VirtualScenario, Workload, VariantName[]]>([
  ['polling', 'stress', []],
  ['polling', 'spike', ['contention-for-all']],
  ['checkout', 'spike', ['contention-queued']],
  ['checkout', 'stress', ['contention-for-all']],
  ['mixed', 'stress', ['reads-counted-in-default']],
])('%s under %s, %j', async (scenario, workload, variants) => {
  const result = await virtualLoadOn(scenario, virtualNetwork({ service: { variants } }), {
    workload,
  })
  expect(blamed(result)).toEqual([])
  expect(result.requests.sent).toBeGreaterThanOrEqual(result.requests.planned)
})

/** `VARIANTS=all npm test -- test/load/conforming.test.ts` shows every scenario all of them. */
const isComplete = process.env['VARIANTS'] === 'all'

/** Each scenario meets some of the differences; together they meet all. */
const SHARES = SCENARIO_NAMES.map((scenario, index) => ({
  scenario,
  variants: VARIANT_NAMES.filter(
    (name, at) => (isComplete || at % SCENARIO_NAMES.length === index) && !isLimit(name),
  ),
}))

/** Other budgets have to be read from GET /rate-limits first, which happens before a scenario is planned. */
function isLimit(name: VariantName): boolean {
  const { family }: VariantFact = VARIANTS[name]
  return family === 'budgets'
}

test.each(SHARES)('$scenario with legal differences', async (share) => {
  for (const variant of share.variants) {
    const result = await virtualLoad(share.scenario, { service: { variants: [variant] } })
    expect({ variant, blamed: blamed(result) }).toEqual({ variant, blamed: [] })
  }
})

test('windows of reads that find nothing are decided where that is answered by 404', async () => {
  const result = await virtualLoad('rate-limit-windows', {
    service: { variants: ['empty-filter-404'] },
  })
  expect(result.verdict, result.reason).toBe('pass')
})

test.each(['polling', 'mixed', 'replay-storm'] as const)(
  'a pending order that is found a moment later leaves nothing red or open in %s',
  async (scenario) => {
    const variants: VariantName[] = ['pending-orders-appear-later']
    const result = await virtualLoad(scenario, { service: { variants } })
    expect(blamed(result)).toEqual([])
    expect(result.verdict, result.reason).toBe('pass')
  },
)

test('carts of which a cap lets a part pass are blamed by no scenario', async () => {
  const result = await virtualLoad('checkout', { service: { variants: ['carts-by-position'] } })
  expect(blamed(result)).toEqual([])
})
