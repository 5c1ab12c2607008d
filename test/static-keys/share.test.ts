/** How much is decided with the keys that real partners have: those of a target file, without a control side. */
import { expect, test } from 'vitest'
import { ALL_CHECKS } from '../../conformance/registry.ts'
import { ROLE_SCOPES, type Role } from '../../contract/capabilities.ts'
import { staticAccounts } from '../../harness/accounts/static-accounts.ts'
import type { Credential } from '../../harness/target-file/target.ts'
import type { VariantName } from '../../reference/base/variants.ts'
import type { FaultName } from '../../reference/faults/faults.ts'
import { decidedShare, type DecidedShare } from '../support/decided-share.ts'
import { planOf } from '../support/suite-plan.ts'
import { suiteRun, type FileKeys, type SuiteRun } from '../support/suite-run.ts'

const ALL: readonly Role[] = Object.keys(ROLE_SCOPES) as Role[]

/** A key of each form of entry that lets this machine in (127.0.0.1), and one that does not. */
const FORMS: FileKeys['more'] = (
  [
    ['127.0.0.1', '127.0.0.0'],
    ['127.0.0.0/24', '127.0.1.0/24'],
    ['127.0.*', '127.1.*'],
  ] as const
).flatMap(([allowed, blocked]) => [
  { role: 'allowed', allowlist: [allowed] },
  { role: 'blocked', allowlist: [blocked] },
])

async function shareOf(
  keys: Omit<FileKeys, 'more'> & Partial<FileKeys>,
  {
    fault,
    checks = ALL_CHECKS,
    variants = [],
  }: {
    readonly fault?: FaultName
    readonly checks?: typeof ALL_CHECKS
    readonly variants?: readonly VariantName[]
  } = {},
): Promise<DecidedShare> {
  const run = await suiteRun({
    accounts: { file: { more: [], ...keys } },
    windowSeconds: 60,
    service: { variants },
    faults: fault ? [fault] : [],
    checks,
  })
  expectForeseen(run, checks)
  return decidedShare(run.outcomes)
}

type Open = { readonly check: string }

const byCheck = (a: Open, b: Open): number => a.check.localeCompare(b.check)

/** The plan of the same file lists the checks that stay open, with the reasons. What a cap leaves open depends on the order. */
function expectForeseen(run: SuiteRun, checks: typeof ALL_CHECKS): void {
  const ids = new Set(checks.map(({ id }) => id))
  const { lacking, purchases } = planOf(run, (id) => ids.has(id))
  const foreseen = lacking.filter(({ verdict }) => verdict === 'untested')
  const { onCap } = purchases
  const untested = run.outcomes.flatMap(({ check: { id, verdict, reason } }) =>
    verdict === 'untested' && ids.has(id) && !onCap?.atRisk.includes(id)
      ? [{ check: id, reason }]
      : [],
  )
  expect(untested.toSorted(byCheck)).toEqual(
    foreseen.map(({ check, reason }) => ({ check, reason })).toSorted(byCheck),
  )
}

test.each([
  ['a cap of 20', '20.00', 290],
  ['a cap of 100', '100.00', 301],
])('one key of each role and %s decide at least so many requirements', async (_, cap, least) => {
  const share = await shareOf({ roles: ALL, cap })
  expect(share.failed).toEqual([])
  expect(share.decided.length).toBeGreaterThanOrEqual(least)
})

test('a cap of 50 is left to its boundary by the checks that only add to others', async () => {
  const share = await shareOf({
    roles: ['full', 'poller', 'browser', 'capped', 'allowed'],
    cap: '50.00',
  })
  expect(share.failed).toEqual([])
  expect(share.decided).toEqual(expect.arrayContaining(['CAP-02', 'CAP-15', 'IDEM-09']))
})

test('orders that wait for each other leave nothing open about contention', async () => {
  const checks = ALL_CHECKS.filter(({ id }) => id.startsWith('contention.'))
  const keys = { roles: ALL, cap: '500.00' }
  const share = await shareOf(keys, { checks, variants: ['contention-queued'] })
  expect(share.failed).toEqual([])
  expect(share.decided).toContain('BUSY-01')
  expect(share.open.filter((id) => id.startsWith('BUSY-'))).toEqual([])
})

test('keys of each form of allowlist entry decide the forms', async () => {
  const share = await shareOf({ roles: ALL, cap: '500.00', more: FORMS })
  expect(share.failed).toEqual([])
  expect(share.open).toEqual(['ALLOW-07', 'ALLOW-08'])
})

test('what the file does not state of its keys is foreseen too', async () => {
  const checks = ALL_CHECKS.filter(({ id }) => /^(?:allowlist|transaction-limit)\./.test(id))
  const more = [
    { role: 'blocked', isUnstated: true },
    { role: 'capped', transactionLimit: '500.00', isUnstated: true },
  ] as const
  const share = await shareOf({ roles: ['full', 'allowed'], cap: '1.00', more }, { checks })
  expect(share.failed).toEqual([])
  expect(share.open).toEqual(expect.arrayContaining(['ALLOW-05', 'CAP-01']))
})

test.each<[FaultName, string]>([
  ['allowlist-single-one-bit-wide', 'ALLOW-04'],
  ['allowlist-cidr-one-bit-wide', 'ALLOW-05'],
  ['allowlist-wildcard-one-octet-wide', 'ALLOW-06'],
])('and show %s', async (fault, requirement) => {
  const checks = ALL_CHECKS.filter(({ id }) => id.startsWith('allowlist.ipv4-'))
  const share = await shareOf({ roles: ['full'], cap: '1.00', more: FORMS }, { fault, checks })
  expect(share.failed).toEqual([requirement])
})

test.each<[FaultName, string]>([
  ['services-limit-before-expiry', 'SEQ-09'],
  ['limit-before-scope', 'SEQ-05'],
])('the windows of the catalog show %s too', async (fault, requirement) => {
  const checks = ALL_CHECKS.filter(({ id }) => id === 'auth.order-services-window')
  const share = await shareOf({ roles: ALL, cap: '1.00' }, { fault, checks })
  expect(share.failed).toContain(requirement)
})

test('two caps decide more than one of their size', async () => {
  const checks = ALL_CHECKS.filter(({ needs: { roles = [] } }) => [...roles].includes('capped'))
  const keys = { roles: ALL, cap: '100.00' }
  const one = await shareOf(keys, { checks })
  const second = { role: 'capped', transactionLimit: '100.00' } as const
  const two = await shareOf({ ...keys, more: [second] }, { checks })
  expect(two.failed).toEqual([])
  expect(two.decided.length).toBeGreaterThan(one.decided.length)
})

test('keys of one role in several accounts serve the checks whose other keys are there', async () => {
  const main: readonly Role[] = ['full', 'sibling', 'capped', 'revoked', 'expired']
  const scoped: readonly Role[] = ['full', 'browser', 'writer', 'poller', 'unscoped', 'funds']
  const checks = ALL_CHECKS.filter(({ needs: { roles = [] } }) =>
    [...roles].some((role) => role !== 'full' && scoped.includes(role)),
  )
  const keys = { roles: main, cap: '500.00' }
  const alone = await shareOf(keys, { checks })
  const both = await shareOf(
    { ...keys, more: scoped.map((role) => ({ role, account: 'scopes' })) },
    { checks },
  )
  expect(both.failed).toEqual([])
  expect(alone.decided).not.toContain('SCOPE-01')
  expect(both.decided).toContain('SCOPE-01')
  expect(both.decided.length).toBeGreaterThan(alone.decided.length + 10)
})

function key(role: Role, account: string): Credential {
  return {
    role,
    account,
    secret: `${role} of ${account}`,
    env: `KEY_${role}_${account}`.toUpperCase(),
  }
}

test('no check gets roles of two accounts where they have to be of one', async () => {
  const accounts = staticAccounts({
    credentials: { full: key('full', 'a'), sibling: key('sibling', 'a') },
    moreKeys: [key('full', 'b'), key('browser', 'b')],
  })
  expect(accounts.notTogether?.(['full', 'sibling'])).toBeUndefined()
  expect(accounts.notTogether?.(['full', 'browser'])).toBeUndefined()
  expect(accounts.notTogether?.(['full', 'sibling', 'browser'])).toEqual([
    'full',
    'sibling',
    'browser',
  ])
  const keyring = await accounts.open({ roles: ['full', 'browser', 'stranger'] })
  expect(keyring.key('full').account).toBe('b')
  expect(keyring.key('stranger').account).toBe('a')
})

// A proxy may have an address of its own.
test.each([
  ['allowlist.listed', 'allowed', '198.51.100.5'],
  ['allowlist.unlisted', 'blocked', '127.0.0.0/8'],
] as const)(
  '%s blames no service if the key of role %s has a list that does not fit: %s',
  async (id, role, entry) => {
    const { outcomes } = await suiteRun({
      accounts: { file: { roles: ['full'], cap: '1.00', more: [{ role, allowlist: [entry] }] } },
      windowSeconds: 60,
      checks: ALL_CHECKS.filter((check) => check.id === id),
    })
    const check = outcomes.map((outcome) => outcome.check).find((each) => each.id === id)
    expect(check).toMatchObject({
      verdict: 'untested',
      reason: `the target file names a key of role ${role} with the allowlist ${entry}, and the target sees this machine at 127.0.0.1`,
    })
  },
)
