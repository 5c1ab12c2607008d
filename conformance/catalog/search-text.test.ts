import { expect, test } from 'vitest'
import type { FaultName } from '../../reference/faults/faults.ts'
import { targetOf } from '../../harness/test-server/embedded.ts'
import { virtualRun } from '../../test/support/virtual-run.ts'
import { ALL_CHECKS } from '../registry.ts'

const SERVICE = targetOf('http://in-process.invalid', 'http://control.in-process.invalid', {
  faults: [],
  windowSeconds: 2,
})

/** The verdict of a check where the search text of the file is another. */
async function verdictOf(
  id: string,
  search: string,
  faults: readonly FaultName[],
): Promise<string | undefined> {
  const { voucher } = SERVICE.products
  if (!voucher) throw new Error('the reference service sells vouchers')
  const products = { ...SERVICE.products, voucher: { ...voucher, search } }
  const { outcomes } = await virtualRun({
    faults,
    target: { ...SERVICE, products },
    checks: ALL_CHECKS.filter((each) => each.id === id),
    invariants: [],
  })
  return outcomes[0]?.check.verdict
}

test('a search that misses the beginning of a name is found by a text from its middle', async () => {
  const verdicts = [[], ['services-search-misses-beginnings']] as const
  const [right, wrong] = verdicts.map((faults) =>
    verdictOf('catalog.search-keeps', 'Credits', faults),
  )
  expect(await right).toBe('pass')
  expect(await wrong).toBe('fail')
})

test('a search that minds case is found where the text of the file is in another alphabet', async () => {
  const verdicts = [[], ['services-search-case-sensitive']] as const
  const [right, wrong] = verdicts.map((faults) =>
    verdictOf('catalog.search-ignores-case', 'Кредиты', faults),
  )
  expect(await right).toBe('pass')
  expect(await wrong).toBe('fail')
})
