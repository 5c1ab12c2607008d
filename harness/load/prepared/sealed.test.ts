import { describe, expect, it } from 'vitest'
import { VirtualClock } from '../../../test/support/virtual-clock.ts'
import { embedInProcess } from '../../../test/support/in-process.ts'
import type { Credential } from '../../target-file/target.ts'
import { seal, sealAttempt, unseal, unsealAttempt } from './sealed.ts'
import type { PlannedAttempt } from '../planned-attempt.ts'

const SECRETS = { HARNESS_KEY_0: 'key-"one"', HARNESS_KEY_1: 'key-two' }

const credential = (secret: string): Credential => ({
  role: 'full',
  account: 'a',
  env: 'ORDERING_KEY',
  secret,
})

/** Only what sealing looks at; the plan is whatever it is. */
function attempt(): PlannedAttempt {
  const clock = new VirtualClock()
  const { target } = embedInProcess({ faults: [], windowSeconds: 2, clock })
  return {
    kind: 'bursts',
    plan: {
      scenario: 'spend-contention',
      secrets: SECRETS,
      scripts: [{ keys: [credential('key-"one"'), credential('key-two')] }],
      budget: { requestsMax: 9, money: { currency: 'USD', micros: 12_000_000n } },
    },
    context: {
      target: { ...target, credentials: { full: credential('key-two') } },
      limits: { default: { count: 40, windowSeconds: 2, source: 'default' } },
      accounts: {
        fresh: true,
        roles: ['full'],
        open: () => Promise.reject(new Error('not here')),
        make: () => Promise.reject(new Error('not here')),
      },
    },
  } as unknown as PlannedAttempt
}

describe('a sealed run', () => {
  it('holds no key, and tells keys apart by their names', () => {
    const text = sealAttempt(attempt())
    for (const secret of Object.values(SECRETS))
      expect(text).not.toContain(JSON.stringify(secret).slice(1, -1))
    const { plan } = unsealAttempt(text) as Extract<PlannedAttempt, { kind: 'bursts' }>
    expect(plan.scripts[0]?.keys.map(({ secret }) => secret)).toEqual([
      'HARNESS_KEY_0',
      'HARNESS_KEY_1',
    ])
    expect(plan.secrets).toEqual({})
  })

  it('is the same again for the judge: money, limits, target, and whether accounts are made', () => {
    const before = attempt() as Extract<PlannedAttempt, { kind: 'bursts' }>
    const after = unsealAttempt(sealAttempt(before)) as typeof before
    expect(after.plan.budget).toEqual(before.plan.budget)
    expect(after.context.limits).toEqual(before.context.limits)
    expect(after.context.target).toEqual({ ...before.context.target, credentials: {} })
    expect(after.context.accounts.fresh).toBe(true)
    expect(() => after.context.accounts.make?.({ keys: [] })).toThrow('only judged')
  })

  it('knows accounts that cannot be made', () => {
    const { kind, plan, context } = attempt() as Extract<PlannedAttempt, { kind: 'bursts' }>
    const { fresh, roles } = context.accounts
    const accounts = { fresh, roles, open: () => Promise.reject(new Error('not here')) }
    const sealed = sealAttempt({ kind, plan, context: { ...context, accounts } })
    const after = unsealAttempt(sealed) as Extract<PlannedAttempt, { kind: 'bursts' }>
    expect(after.context.accounts).not.toHaveProperty('make')
  })

  it('is refused where a key stands inside of another text', () => {
    expect(() => seal({ url: 'https://x/?k=key-two' }, SECRETS)).toThrow('a key would have been')
    expect(() => seal({ url: 'say key-"one"' }, SECRETS)).toThrow('a key would have been')
    expect(unseal(seal({ amount: 3n, key: 'key-two' }, SECRETS))).toEqual({
      amount: 3n,
      key: 'HARNESS_KEY_1',
    })
  })
})
