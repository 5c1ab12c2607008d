import { expect, test } from 'vitest'
import { virtualNetwork } from '../../../test/load/virtual-network.ts'
import type { Role } from '../../../contract/capabilities.ts'
import { staticAccounts } from '../../accounts/static-accounts.ts'
import type { FileKeys } from '../../target-file/keys.ts'
import { draftUnderLoad } from './plan.ts'

const NETWORK = virtualNetwork({ windowSeconds: 60 })

async function staticContext(roles: readonly Role[]) {
  const keyring = await NETWORK.accounts.open({ roles })
  const credentials = Object.fromEntries(roles.map((role) => [role, keyring.key(role)]))
  return { ...NETWORK, accounts: staticAccounts({ credentials }) }
}

test('without a key of its own there is no background', async () => {
  const draft = draftUnderLoad({ name: 'browse' }, await staticContext(['full', 'stranger']), 60)
  expect(draft).toMatchObject({ lacks: expect.stringContaining('ORDERING_KEY_BACKGROUND') })
})

test('with static keys it uses that of the role background alone', async () => {
  const context = await staticContext(['full', 'stranger', 'background'])
  const draft = draftUnderLoad({ name: 'orders', ratePerSecond: 5 }, context, 60)
  if ('lacks' in draft) throw new Error(draft.lacks)
  const { keys, file } = await draft.plan()
  expect(keys.map(({ role }) => role)).toEqual(['background'])
  expect(file).toMatchObject({ scenario: 'under-load', workload: 'orders:5/s', sessions: 300 })
  // One order each, and another where a broken service buys again.
  expect(draft.budget).toMatchObject({ ordersMax: 600 })
})

test('with keys of several accounts for it, it uses each account once', async () => {
  const key = { role: 'background', secret: 's', env: 'E' } as const
  const accounts = ['a', 'b', 'a'].map((account) => ({ ...key, account }))
  const [background, ...moreKeys] = accounts
  const source = staticAccounts({ credentials: { background }, moreKeys } as FileKeys)
  const draft = draftUnderLoad({ name: 'orders' }, { ...NETWORK, accounts: source }, 60)
  if ('lacks' in draft) throw new Error(draft.lacks)
  expect(draft.accounts).toBe(2)
  const { keys } = await draft.plan()
  expect(keys.map(({ account }) => account)).toEqual(['a', 'b'])
})

test('where accounts are made it makes its own, as many as the rate needs', async () => {
  const draft = draftUnderLoad({ name: 'polling', ratePerSecond: 4 }, NETWORK, 60)
  if ('lacks' in draft) throw new Error(draft.lacks)
  const { keys } = await draft.plan()
  expect(new Set(keys.map(({ account }) => account)).size).toBe(draft.accounts)
  expect(draft.accounts).toBeGreaterThan(8)
})

test('a rate that the windows refuse is refused before', async () => {
  const context = await staticContext(['full', 'background'])
  expect(() => draftUnderLoad({ name: 'mixed', ratePerSecond: 500 }, context, 60)).toThrow(
    /asks for more clients a second than the windows of 1 account admits/,
  )
})

test('catalog alone buys nothing', () => {
  const draft = draftUnderLoad({ name: 'browse' }, NETWORK, 60)
  expect(draft).toMatchObject({ ratePerSecond: 10, budget: { ordersMax: 0 }, buys: [] })
})
