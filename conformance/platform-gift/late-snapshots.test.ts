import { expect, test } from 'vitest'
import { virtualRun } from '../../test/support/virtual-run.ts'
import { ALL_CHECKS } from '../registry.ts'
import { everyRegion } from './every-region.check.ts'

const BUYERS = ['platform-gift.conflict', 'platform-gift.token-edition']

async function run(faults: readonly 'gift-region-shown-fixed'[]) {
  const { outcomes } = await virtualRun({
    service: { platformGift: 'enabled', variants: ['gift-snapshots-at-end'], faults },
    checks: ALL_CHECKS.filter(({ id }) => BUYERS.includes(id)),
    invariants: [everyRegion],
  })
  return Object.fromEntries(outcomes.map(({ check }) => [check.id, check.verdict]))
}

test('gifts of two regions and editions are compared where snapshots are shown at the end', async () => {
  expect(await run([])).toEqual({
    'platform-gift.conflict': 'pass',
    'platform-gift.token-edition': 'pass',
    'platform-gift.every-region': 'pass',
  })
  expect(await run(['gift-region-shown-fixed'])).toMatchObject({
    'platform-gift.every-region': 'fail',
  })
})
