/** Other readings of the interface, each in the scenario that meets it. */
import { expect, test } from 'vitest'
import { virtualLoad, type VirtualScenario } from './virtual-load.ts'
import type { VariantName } from '../../reference/base/variants.ts'

test.each<[VirtualScenario, VariantName]>([
  ['spend-contention', 'refusals-replayed'],
  ['spend-contention', 'esims-at-once'],
  ['replay-storm', 'post-results-absent'],
  ['replay-storm', 'refusals-replayed'],
  ['replay-storm', 'created-at-absent'],
  ['spend-contention', 'gift-quotes-upstream-missing'],
  ['replay-storm', 'gift-quotes-upstream-missing'],
  ['unhide-budgets', 'gift-quotes-upstream-missing'],
  ['unhide-budgets', 'post-results-absent'],
  ['replay-storm', 'post-results-null'],
  ['unhide-budgets', 'post-results-null'],
  ['checkout', 'post-results-null'],
  ['unhide-budgets', 'list-status-of-orders'],
  ['checkout', 'post-results-absent'],
  ['polling', 'list-status-of-orders'],
])('%s blames no service with %s', async (scenario, variant) => {
  const { findings, verdict } = await virtualLoad(scenario, {
    service: { variants: [variant] },
  })
  const blamed = findings
    .filter((finding) => finding.verdict === 'fail')
    .map(({ requirement, observed }) => `${requirement}: ${observed}`)
  expect({ blamed, verdict }).toEqual({ blamed: [], verdict: 'pass' })
})
