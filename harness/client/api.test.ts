import { expect, it } from 'vitest'
import { staticAccounts } from '../accounts/static-accounts.ts'
import { VirtualClock } from '../../test/support/virtual-clock.ts'
import { PurchaseGuard } from '../purchases/purchase-guard.ts'
import { evidenceOf } from '../record/evidence.ts'
import { Redactor } from '../record/redact.ts'
import { resolveTarget } from '../target-file/resolve.ts'
import { Api } from './api.ts'
import { Client } from './client.ts'
import { History } from './history.ts'
import type { WireRequest } from './exchange.ts'

const SECRET = 'a-key-of-staging-0123456789'

async function apiOf(): Promise<{ api: Api; sent: WireRequest[] }> {
  const target = resolveTarget({
    flags: { baseUrl: 'https://orders.example.com' },
    env: { ORDERING_KEY: SECRET },
    cwd: '/',
  })
  const { full } = target.credentials
  const accounts = staticAccounts({
    credentials: full ? { full: { ...full, env: 'STAGING_BUYER_KEY' } } : {},
  })
  const keyring = await accounts.open({ roles: ['full'] })
  const sent: WireRequest[] = []
  const clock = new VirtualClock()
  const client = new Client({
    transport: {
      send: (request) => {
        sent.push(request)
        return Promise.resolve({ status: 200, headers: [], body: '{}', truncated: false })
      },
      close: () => Promise.resolve(),
    },
    clock,
    history: new History(),
    pacer: { admit: () => undefined, settle: () => {} },
  })
  const guard = new PurchaseGuard({ ordersMax: 0 })
  return { api: new Api({ client, target, clock, guard, keyring, check: 'a.check' }, 'full'), sent }
}

it('names in its curl the variable that the target file names for the key', async () => {
  const { api } = await apiOf()
  const { curl } = evidenceOf(await api.whoami(), new Redactor())
  expect(curl).toContain('$STAGING_BUYER_KEY"')
  expect(curl).not.toContain(SECRET)
  expect(evidenceOf(await api.as('none').whoami(), new Redactor()).curl).not.toContain('$')
})

it('writes queries behind a path that has one, and behind one that has none', async () => {
  const { api, sent } = await apiOf()
  await api.getOrders({ referenceId: 'a b&c', unhide: true })
  await api.send('whoami', {}, { path: '/a b?x=1#part', query: { y: 'é' } })
  expect(sent.map(({ url }) => url)).toEqual([
    'https://orders.example.com/api/v1/orders?referenceId=a%20b%26c&unhide=true',
    'https://orders.example.com/a%20b?x=1&y=%C3%A9#part',
  ])
})
