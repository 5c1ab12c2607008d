/** Load scenarios with the keys of a target file, where nobody makes fresh ones. */
import { describe, expect, test } from 'vitest'
import { staticAccounts } from '../../harness/accounts/static-accounts.ts'
import { draftSpend } from '../../harness/load/bursts/spend-plan.ts'
import { budgetOf } from '../../harness/load/bursts/burst-plan.ts'
import { prepareScenario } from '../../harness/gate/load-phase.ts'
import { sharesCap } from '../../harness/gate/plan-checks.ts'
import type { SelectableCheck } from '../../harness/gate/conformance.ts'
import { formatMoney } from '../../harness/money.ts'
import type { Credential, Target } from '../../harness/target-file/target.ts'
import { virtualLoadOn } from './virtual-load.ts'
import { virtualNetwork, type VirtualNetwork } from './virtual-network.ts'

const LIMIT = '60.00'

/** A target file that states a cap, whose key has one of the same, or of another, headroom. */
async function staticNetwork(
  options: { readonly faults?: readonly string[]; readonly left?: string } = {},
): Promise<VirtualNetwork> {
  const { faults = [], left = LIMIT } = options
  const network = virtualNetwork({ faults })
  const keyring = await network.accounts.open({
    roles: ['full', 'capped'],
    transactionLimit: left,
  })
  const stated = { currency: 'USD', limit: LIMIT, used: '0' }
  return withCredentials(network, {
    full: keyring.key('full'),
    capped: { ...keyring.key('capped'), transactionLimit: stated },
  })
}

/** Money that the plan sets aside for a cap of that size. */
async function reservedOf(limit: string): Promise<string> {
  const network = await staticNetwork()
  const capped = stating(network.target.credentials.capped, limit)
  const { full } = network.target.credentials
  const changed = withCredentials(network, { ...capped, ...(full && { full }) })
  const draft = draftSpend(changed)
  if ('lacks' in draft) throw new Error(draft.lacks)
  return formatMoney(budgetOf(draft.scripts, draft.purchasables).money?.micros ?? 0n)
}

function withCredentials(
  network: VirtualNetwork,
  credentials: Target['credentials'],
): VirtualNetwork {
  const { control: _none, ...target } = network.target
  return {
    ...network,
    target: { ...target, credentials },
    accounts: staticAccounts({ credentials }),
  }
}

describe('spend contention on one key whose cap the target file states', () => {
  test('passes, with the cap bought to its last unit', async () => {
    const result = await virtualLoadOn('spend-contention', await staticNetwork())
    expect(result.verdict, result.reason).toBe('pass')
    const passed = result.findings.filter(({ verdict }) => verdict === 'pass')
    expect(passed.map(({ requirement }) => requirement)).toEqual(
      expect.arrayContaining(['BUSY-01', 'BUSY-05', 'CAP-01', 'CAP-02', 'CAP-13', 'CAP-15']),
    )
    expect(result.measurements['moneySpent']).toBe('USD 61.00')
    expect(await reservedOf('60.00')).toBe('161.00')
  })

  test('reserves hardly more than a large cap has room for, and little on the smallest that decides', async () => {
    expect(await reservedOf('600.00')).toBe('701.00')
    expect(await reservedOf('48.00')).toBe('149.00')
  })

  test('stops buying once the cap is broken', async () => {
    const network = await staticNetwork({ faults: ['spend-check-then-act'] })
    const { measurements } = await virtualLoadOn('spend-contention', network)
    // The first burst is accepted as a whole: 12 units before it, four orders of 25 in it, then the companion.
    expect(measurements['moneySpent']).toBe('USD 113.00')
  })

  test.each([
    ['spend-check-then-act', 'CAP-13'],
    ['spend-lost-update', 'CAP-13'],
    ['contention-bad-gateway', 'BUSY-01'],
    ['contention-without-retry-after', 'BUSY-02'],
    ['contention-creates-order', 'BUSY-04'],
    ['contention-burns-reference', 'BUSY-06'],
  ])('finds %s (%s)', async (fault, requirement) => {
    const result = await virtualLoadOn('spend-contention', await staticNetwork({ faults: [fault] }))
    const failed = result.findings.filter(({ verdict }) => verdict === 'fail')
    expect(failed.map((finding) => finding.requirement)).toContain(requirement)
  })

  test('takes another capped key of the file where the first is used up', async () => {
    const network = await staticNetwork()
    const { capped, ...credentials } = network.target.credentials
    const spent = { ...capped, env: 'SPENT', secret: 'key-whose-cap-is-spent' } as Credential
    const spare = { ...capped, env: 'SPARE' } as Credential
    const moreKeys = [spare]
    const used = { currency: 'USD', limit: LIMIT, used: LIMIT }
    const file = {
      credentials: { ...credentials, capped: { ...spent, transactionLimit: used } },
      moreKeys,
    }
    const target = { ...network.target, ...file }
    const both = { ...network, target, accounts: staticAccounts(file) }
    const result = await virtualLoadOn('spend-contention', both)
    expect(result.verdict, result.reason).toBe('pass')
    expect(result.measurements['moneySpent']).toBe('USD 61.00')
  })

  test('blames nobody where others have used the key since', async () => {
    const result = await virtualLoadOn('spend-contention', await staticNetwork({ left: '31.00' }))
    expect(result.verdict, result.reason).toBe('inconclusive')
    expect(result.findings.filter(({ verdict }) => verdict === 'fail')).toEqual([])
  })
})

const stating = (credential: Credential | undefined, limit: string): Target['credentials'] =>
  credential
    ? { capped: { ...credential, transactionLimit: { currency: 'USD', limit, used: '0' } } }
    : {}

const lacking = async (
  change: (credentials: Target['credentials']) => Target['credentials'],
): Promise<unknown> => {
  const network = await staticNetwork()
  return draftSpend(withCredentials(network, change(network.target.credentials)))
}
describe('spend contention is untested', () => {
  test('where checks of the run buy on the same key', async () => {
    const context = await staticNetwork()
    const { target, accounts, limits } = context
    const prepared = { target, accounts, ready: { limits } }
    const asked = (isCapShared: boolean): ReturnType<typeof prepareScenario> =>
      prepareScenario('spend-contention', { ...prepared, isCapShared }, { workload: 'smoke' })
    expect(await asked(true)).toMatchObject({
      lacks: expect.stringContaining('checks of this run buy on the capped key') as string,
    })
    expect(await asked(false)).not.toHaveProperty('lacks')

    const facts = { roles: ['capped'] } as unknown as NonNullable<SelectableCheck['facts']>
    const checks = [{ id: 'buys', facts } as SelectableCheck]
    const shares = (ids: readonly string[], fresh: boolean): boolean =>
      sharesCap(
        { checks },
        { checks: ids, scenarios: [] },
        { target, accounts: { fresh }, permission: { purchases: {} } },
      )
    expect([shares(['buys'], false), shares(['buys'], true), shares([], false)]).toEqual([
      true,
      false,
      false,
    ])
  })

  test.each<[string, (credentials: Target['credentials']) => Target['credentials'], string]>([
    ['without a capped key', () => ({}), 'no credential for the role capped'],
    [
      'where nothing is stated of its cap',
      ({ full }) => (full ? { capped: full } : {}),
      'does not say what is left of the cap',
    ],
    ['where the cap is too small', ({ capped }) => stating(capped, '20.00'), 'room for 20'],
    ['where the cap is too large', ({ capped }) => stating(capped, '9000.00'), 'room for 9000'],
    [
      'where the cap is no whole number of units',
      ({ capped }) => stating(capped, '100.50'),
      'no whole number of vouchers at 1.00',
    ],
  ])('%s', async (_, change, reason) => {
    expect(await lacking(change)).toMatchObject({
      lacks: expect.stringContaining(reason) as string,
    })
  })
})

test.each(['replay-storm', 'polling', 'checkout', 'mixed'] as const)(
  '%s runs with the keys of a target file',
  async (scenario) => {
    const result = await virtualLoadOn(scenario, await staticNetwork())
    expect(result.verdict, result.reason).toBe('pass')
  },
)

/** The network, with another client that has the key of the role full and lists the services, so many each time. */
function besideOthers(network: VirtualNetwork, requests: number): VirtualNetwork {
  const key = network.target.credentials.full?.secret ?? ''
  const services = `${network.target.baseUrl}/api/v1/services?limit=1`
  const listed = { method: 'GET', url: services, headers: { 'X-API-Key': key } }
  let sent = 0
  return {
    ...network,
    send: async (request) => {
      sent += 1
      // As a burst now and then, not at the same moment of each window.
      if (sent % 97 === 0)
        await Promise.all(Array.from({ length: requests }, () => network.send(listed)))
      return network.send(request)
    },
  }
}

async function verdictsOf(
  name: 'rate-limit-windows',
  network: VirtualNetwork,
): Promise<readonly string[]> {
  const { findings } = await virtualLoadOn(name, network)
  const about = findings.filter(({ requirement }) => /^RATE-0[123]$/.test(requirement))
  return [...new Set(about.map(({ verdict }) => verdict))].toSorted()
}

describe('windows of an account that others use as well', () => {
  test('are no finding where only refusals contradict them', async () => {
    const verdicts = await verdictsOf('rate-limit-windows', besideOthers(await staticNetwork(), 9))
    expect(verdicts).toEqual(['inconclusive', 'pass'])
  })

  test('are one where the budget is another, or too many were admitted', async () => {
    for (const fault of ['window-count-minus-one', 'window-count-plus-one'])
      expect(
        await verdictsOf('rate-limit-windows', await staticNetwork({ faults: [fault] })),
        fault,
      ).toContain('fail')
  })
})
