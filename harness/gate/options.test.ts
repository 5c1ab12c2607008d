import { expect, test } from 'vitest'
import { HarnessError } from '../errors.ts'
import { parseRunOptions } from './options.ts'

function refusalOf(argv: readonly string[]): HarnessError {
  try {
    parseRunOptions('gate', argv)
  } catch (cause) {
    if (cause instanceof HarnessError) return cause
    throw cause
  }
  throw new Error('it was understood')
}

test.each<[string[], RegExp]>([
  [['--no-such-option'], /--no-such-option/],
  [['positional'], /positional/],
  [['--floor', '120'], /--floor was "120"/],
  [['--floor', '0'], /--floor was "0"/],
  [['--floor', '0.9'], /--floor was "0.9"/],
  [['--floor', 'most'], /--floor was "most"/],
  [['--floor', ''], /--floor was ""/],
  [['--allow-purchases'], /without --max-orders N and --max-spend/],
  [['--allow-purchases', '--max-orders', '3'], /without --max-orders N and --max-spend/],
  [['--allow-purchases', '--max-spend', 'USD:1'], /without --max-orders N and --max-spend/],
  [['--max-spend', '25'], /CUR:AMOUNT/],
  [['--max-spend', 'USD:-1'], /CUR:AMOUNT/],
  [['--max-orders', '0'], /--max-orders was "0"/],
  [['--max-orders', '1.5'], /--max-orders was "1.5"/],
  [['--instances', '0'], /--instances was "0"/],
  [['--instances', '65'], /at most 64 are possible/],
  [['--prepare', 'd'], /without load/],
  [['--judge', 'd'], /without load/],
  [['--window-seconds', '0'], /--window-seconds was "0"/],
  [['--only', ''], /--only was given without a name/],
  [['--only', ' , '], /--only was given without a name/],
  [['--scenario', ''], /--scenario was given without a name/],
  [['--fault', ''], /--fault was given without a name/],
])('%j is refused as usage, with the next step', (argv, message) => {
  const { exitCode, message: said, nextStep } = refusalOf(argv)
  expect(exitCode).toBe(2)
  expect(said).toMatch(message)
  expect(nextStep).toMatch(/^\w.*\.$/)
})

test('is understood', () => {
  const selection = ['--only', 'auth, limits', '--only', 'RATE-03', '--floor', '90%', '--no-load']
  const permission = ['--allow-purchases', '--max-orders', '3', '--max-spend', 'USD:2.50']
  const options = parseRunOptions('gate', [...selection, ...permission])
  expect(options).toMatchObject({
    only: ['auth', 'limits', 'RATE-03'],
    floor: 0.9,
    load: false,
    allowPurchases: true,
    ordersMax: 3,
    spendMax: { currency: 'USD', micros: 2_500_000n },
  })
})

test.each<[string[], RegExp]>([
  [['--prepare', 'd', '--judge', 'e'], /were given together/],
  [['--prepare', ''], /without a name/],
  [['--keys-file', 'k'], /without --prepare/],
  [['--judge', 'd', '--repeats', '6'], /--repeats or --baseline/],
  [['--clock-skew-ms', '-1'], /--clock-skew-ms/],
])('is refused for load: %j', (argv, message) => {
  expect(() => parseRunOptions('load', argv)).toThrow(message)
})

test('load may be shared, prepared and judged', () => {
  expect(parseRunOptions('load', [])).toMatchObject({ instances: 1, clockSkewMs: 100 })
  const prepare = ['--prepare', 'd', '--keys-file', 'k', '--instances', '4']
  expect(parseRunOptions('load', prepare)).toMatchObject({
    prepareDir: 'd',
    keysFile: 'k',
    instances: 4,
  })
  expect(parseRunOptions('load', ['--judge', 'd', '--clock-skew-ms', '0'])).toMatchObject({
    judgeDir: 'd',
    clockSkewMs: 0,
  })
})
