import { expect, test } from 'vitest'
import { virtualNetwork } from '../../test/load/virtual-network.ts'
import { parseRunOptions } from './options.ts'
import { requireUnderLoad } from './under-load.ts'

const NETWORK = virtualNetwork({ windowSeconds: 60 })
const ELSEWHERE = { ...NETWORK.target, environment: 'production' } as const

function required(parameters: string, checkSeconds = 100, target = ELSEWHERE) {
  const options = parseRunOptions('gate', parameters.split(' '))
  const on = { target, accounts: NETWORK.accounts, ready: NETWORK }
  return requireUnderLoad(options, on, checkSeconds, [])
}

test.each([
  ['--under-load orders', 'E_PERMISSION', 'load on this target is not permitted'],
  ['--under-load orders --allow-load', 'E_PERMISSION', 'purchases are not permitted'],
  [
    '--under-load orders:1/s --allow-load --allow-purchases --max-orders 10 --max-spend USD:1000',
    'E_PERMISSION',
    'buys up to 420 orders, 10 are permitted',
  ],
  ['--under-load browse:20/s --allow-load', 'E_PERMISSION', 'requests, 20000 are permitted'],
])('%s is refused', (parameters, code, message) => {
  expect(() => required(parameters)).toThrow(
    expect.objectContaining({ code, exitCode: 2, message: expect.stringContaining(message) }),
  )
})

test('it lasts longer than the checks may take, by their plan', () => {
  const draft = required('--under-load browse:1/s --allow-load')
  expect(draft).toMatchObject({ workload: 'browse:1/s', budget: { ordersMax: 0 } })
  expect(draft?.budget.wallSecondsMax).toBeGreaterThan(200)
})

test('without a check there is nothing to load', () => {
  expect(() => required('--under-load browse --allow-load', 0)).toThrow(
    expect.objectContaining({ code: 'E_USAGE' }),
  )
})

test('nothing is asked for where the option is not given', () => {
  expect(required('--allow-load')).toBeUndefined()
})
