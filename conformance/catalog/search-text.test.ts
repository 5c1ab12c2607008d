import { expect, test } from 'vitest'
import type { FaultName } from '../../reference/faults/faults.ts'
import { targetOf } from '../../harness/test-server/embedded.ts'
import { virtualRun } from '../../test/support/virtual-run.ts'
import { ALL_CHECKS } from '../registry.ts'

const SERVICE = targetOf('http://in-process.invalid', 'http://control.in-process.invalid', {
  faults: [],
  windowSeconds: 2,
})

/** The verdict of the check where the search text of the file is the end of a name. */
async function verdictOf(faults: readonly FaultName[]): Promise<string | undefined> {
  const { voucher } = SERVICE.products
  if (!voucher) throw new Error('the reference service sells vouchers')
  const products = { ...SERVICE.products, voucher: { ...voucher, search: 'Credits' } }
  const { outcomes } = await virtualRun({
    faults,
    target: { ...SERVICE, products },
    checks: ALL_CHECKS.filter(({ id }) => id === 'catalog.search-keeps'),
    invariants: [],
  })
  return outcomes[0]?.check.verdict
}

test('a search that misses the beginning of a name is found by a text from its middle', async () => {
  expect(await verdictOf([])).toBe('pass')
  expect(await verdictOf(['services-search-misses-beginnings'])).toBe('fail')
})
