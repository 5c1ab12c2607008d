/** Faults that only a busy service shows: green at rest, red under load. In virtual time, with the plan and clients of --under-load. */
import { describe, expect, test } from 'vitest'
import { ALL_CHECKS } from '../../conformance/registry.ts'
import type { CheckOutcome } from '../../harness/judge/check-outcome.ts'
import type { FaultFact } from '../../reference/faults/fact.ts'
import { FAULTS } from '../../reference/faults/faults.ts'
import {
  UNDER_LOAD_FAULT_NAMES,
  type UnderLoadFaultName,
} from '../../reference/faults/under-load.ts'
import { suiteRun, type Accounts } from '../support/suite-run.ts'
import type { VirtualLoad } from '../support/virtual-background.ts'

const STATIC: Accounts = { shared: 'all' }

/** Where each shows: checks of which one finds it, beside what. */
type Shown = {
  readonly accounts: Accounts
  readonly windowSeconds: number
  readonly checks: readonly string[]
  readonly load: VirtualLoad
}

/** So long that a thousand orders wait when the checks begin. */
const LONG_ORDERS = { name: 'orders', ratePerSecond: 100, headSeconds: 15 } as const

const SHOWN: Readonly<Record<UnderLoadFaultName, Shown>> = {
  'busy-references-evicted': {
    accounts: STATIC,
    windowSeconds: 60,
    checks: ['idempotency.replay-after-window'],
    load: { name: 'orders', ratePerSecond: 16 },
  },
  'busy-unhide-budgets-evicted': {
    accounts: 'fresh',
    windowSeconds: 2,
    checks: ['unhide.pending-window'],
    load: { name: 'orders', ratePerSecond: 60 },
  },
  'busy-window-counters-evicted': {
    accounts: 'fresh',
    windowSeconds: 60,
    checks: ['limits.window-services'],
    load: { name: 'orders', ratePerSecond: 60 },
  },
  'busy-orders-stay-pending': {
    accounts: 'fresh',
    windowSeconds: 2,
    checks: ['states.polling'],
    load: { name: 'orders', ratePerSecond: 100 },
  },
  'busy-charges-lost': {
    accounts: 'fresh',
    windowSeconds: 2,
    checks: ['transaction-limit.concurrent'],
    load: LONG_ORDERS,
  },
  'busy-references-unstored': {
    accounts: 'fresh',
    windowSeconds: 2,
    checks: ['idempotency.replay'],
    load: LONG_ORDERS,
  },
  'busy-reads-mix-keys': {
    accounts: 'fresh',
    windowSeconds: 2,
    checks: ['reading.other-key'],
    load: LONG_ORDERS,
  },
  'busy-codes-cached': {
    accounts: 'fresh',
    windowSeconds: 2,
    checks: ['reading.revealed-codes'],
    load: LONG_ORDERS,
  },
  'busy-admission-skipped': {
    accounts: 'fresh',
    windowSeconds: 2,
    checks: ['unhide.admission'],
    load: LONG_ORDERS,
  },
  'busy-polls-counted-twentyfold': {
    accounts: 'fresh',
    windowSeconds: 60,
    checks: ['unhide.polling'],
    load: LONG_ORDERS,
  },
  'busy-check-timeouts-answer-502': {
    accounts: 'fresh',
    windowSeconds: 2,
    checks: ['dtu-check.timeout'],
    load: LONG_ORDERS,
  },
  'busy-check-timeouts-bare': {
    accounts: 'fresh',
    windowSeconds: 2,
    checks: ['dtu-check.timeout'],
    load: LONG_ORDERS,
  },
  'busy-check-timeouts-buy-later': {
    accounts: 'fresh',
    windowSeconds: 2,
    checks: ['dtu-check.timeout'],
    load: LONG_ORDERS,
  },
  'busy-check-timeouts-use-cap': {
    accounts: 'fresh',
    windowSeconds: 2,
    checks: ['dtu-check.timeout-debits-nothing'],
    load: LONG_ORDERS,
  },
  'busy-listings-of-last-reader': {
    accounts: 'fresh',
    windowSeconds: 2,
    checks: ['reading.other-key-listing'],
    load: LONG_ORDERS,
  },
  'busy-report-of-defaults': {
    accounts: 'fresh',
    windowSeconds: 2,
    checks: ['limits.report-unhide-completed'],
    load: LONG_ORDERS,
  },
}

/** With accounts of their own the checks make enough orders at once to fill this table by themselves. */
const RED_WITH_FRESH_ACCOUNTS: readonly UnderLoadFaultName[] = ['busy-references-evicted']

describe('at rest the whole suite passes all of them together', () => {
  test.each([
    [60, 'static keys', STATIC],
    [2, 'accounts of their own', 'fresh'],
    [60, 'accounts of their own', 'fresh'],
  ] as const)('windows of %i s, %s', async (windowSeconds, _, accounts) => {
    const faults = UNDER_LOAD_FAULT_NAMES.filter(
      (name) => accounts !== 'fresh' || !RED_WITH_FRESH_ACCOUNTS.includes(name),
    )
    const { outcomes } = await suiteRun({ accounts, windowSeconds, faults, service: { seed: 7 } })
    expect(outcomes.filter(isNotGreen).map(({ check }) => check.id)).toEqual([])
    expect(outcomes.filter(({ check }) => check.verdict === 'pass').length).toBeGreaterThan(300)
  })
})

/** Faults that show in the same conditions need one run of the clean service. */
const CONDITIONS = Map.groupBy(UNDER_LOAD_FAULT_NAMES, (name) => {
  const { accounts, windowSeconds, load } = SHOWN[name]
  return JSON.stringify({ accounts, windowSeconds, load })
})

describe('under load', () => {
  test.each([...CONDITIONS])('the clean service is green: %s', async (_, names) => {
    const { outcomes, background } = await suiteRun(conditionsOf(names))
    expect(outcomes.filter(isNotGreen)).toEqual([])
    expect(background).toMatchObject({ verdict: 'pass', findings: [] })
  })

  test.each(UNDER_LOAD_FAULT_NAMES)('%s is found', async (fault) => {
    const { outcomes } = await suiteRun({ ...conditionsOf([fault]), faults: [fault] })
    const failed = outcomes
      .flatMap(({ check }) => check.findings)
      .filter(({ verdict }) => verdict === 'fail' || verdict === 'warn')
    const { breaks, also = [] }: FaultFact = FAULTS[fault]
    expect(failed.map(({ requirement }) => requirement)).toEqual(
      expect.arrayContaining([breaks, ...also]),
    )
  })
})

function conditionsOf(names: readonly UnderLoadFaultName[]): Parameters<typeof suiteRun>[0] {
  const [{ accounts, windowSeconds, load }] = names.map((name) => SHOWN[name]) as [Shown]
  const wanted = names.flatMap((name) => SHOWN[name].checks)
  return {
    accounts,
    windowSeconds,
    service: { seed: 7 },
    underLoad: load,
    checks: ALL_CHECKS.filter(({ id }) => wanted.includes(id)),
  }
}

function isNotGreen({ check }: CheckOutcome): boolean {
  return ['fail', 'error', 'inconclusive'].includes(check.verdict)
}
