import { describe, expect, test } from 'vitest'
import { defaultOperation } from '../target-file/defaults.ts'
import type { Target } from '../target-file/target.ts'
import { parseRunOptions } from './options.ts'
import { isLoopback } from '../network/loopback.ts'
import { permissionOf } from './permission.ts'

const LIMITS = ['--allow-purchases', '--max-orders', '3', '--max-spend', 'USD:2.50']

function targetAt(baseUrl: string, more: Partial<Target> = {}): Target {
  return {
    name: 't',
    kind: 'url',
    baseUrl,
    environment: 'production',
    timing: 'partner',
    capabilities: [],
    credentials: {},
    products: {},
    limits: {},
    operations: { whoami: defaultOperation('whoami') } as Target['operations'],
    answers: {},
    origins: { environment: 'default' },
    faults: [],
    ...more,
  }
}

describe('what a run may do', () => {
  test.each<[string, Partial<Target>, string[], boolean, boolean]>([
    ['http://127.0.0.1:1', {}, [], true, true],
    ['http://[::1]:1', {}, [], true, true],
    ['http://localhost:1', {}, [], true, true],
    ['https://h.example', {}, [], false, false],
    ['https://h.example', { environment: 'sandbox' }, [], true, true],
    ['https://h.example', {}, LIMITS, true, false],
    ['https://h.example', {}, ['--allow-load'], false, true],
    ['https://h.example', {}, ['--max-orders', '3'], false, false],
    ['http://0.0.0.0:1', {}, [], false, false],
    ['http://127.0.0.1.h.example', {}, [], false, false],
    ['http://localhost.h.example', {}, [], false, false],
    // A tunnel of this machine may lead to production: who says so is believed.
    ['http://127.0.0.1:1', { origins: { environment: 'file' } }, [], false, false],
  ])('%s %o %j: purchases %s, load %s', (baseUrl, more, flags, purchases, load) => {
    const permission = permissionOf(targetAt(baseUrl, more), parseRunOptions('gate', flags))
    expect(permission.purchases !== undefined).toBe(purchases)
    expect(permission.load).toBe(load)
    expect(permission.reason).not.toBe('')
  })

  test('limits hold on loopback too', () => {
    const permission = permissionOf(targetAt('http://127.0.0.1:1'), parseRunOptions('gate', LIMITS))
    expect(permission.purchases).toEqual({
      ordersMax: 3,
      spendMax: { currency: 'USD', micros: 2_500_000n },
    })
  })

  test.each([
    ['http://127.1.2.3', true],
    ['http://2130706433', true],
    ['http://128.0.0.1', false],
    ['http://[::ffff:192.0.2.1]', false],
    ['http://mylocalhost', false],
  ])('%s is loopback: %s', (baseUrl, expected) => {
    expect(isLoopback(baseUrl)).toBe(expected)
  })
})
