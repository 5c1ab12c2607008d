import { expect, test } from 'vitest'
import { HarnessError } from '../errors.ts'
import { parseRunOptions } from './options.ts'

function parse(...argv: readonly string[]): ReturnType<typeof parseRunOptions> {
  return parseRunOptions('load', argv)
}

function problemOf(...argv: readonly string[]): HarnessError {
  try {
    parse(...argv)
  } catch (error) {
    if (error instanceof HarnessError) return error
    throw error
  }
  return expect.unreachable('no error was thrown')
}

test('without a word about it, sessions come as smoke', () => {
  expect(parse().workload).toEqual({ workload: 'smoke' })
  expect(parse().outputs).toEqual([])
})

test('workload, seconds, rate and outputs are understood', () => {
  const options = parse(
    '--workload',
    'soak',
    '--seconds',
    '90',
    '--rate',
    '2.5',
    '--think-time',
    '1.5s',
    '--out',
    'csv=m.csv',
  )
  expect(options.workload).toEqual({
    workload: 'soak',
    seconds: 90,
    ratePerSecond: 2.5,
    thinkSeconds: 1.5,
  })
  expect(options.outputs).toEqual(['csv=m.csv'])
})

test.each([
  [['--workload', 'stedy'], '--workload was "stedy"', 'steady'],
  [['--seconds', '0'], '--seconds was "0"', '--help'],
  [['--seconds', 'long'], '--seconds was "long"', '--help'],
  [['--rate', '-1'], '', ''],
  [['--rate', '1e9'], '--rate was "1e9"', '--help'],
  [['--mix', 'browse=7,sell=2'], '--mix was', 'browse=7,buy=2'],
  [['--mix', 'browse=7,browse=2'], '--mix was', 'browse=7,buy=2'],
  [['--mix', 'browse=1'], '--mix has clients that browse alone', '--scenario browse'],
  [['--mix', 'browse=0'], '--mix was', 'browse=7,buy=2'],
  [['--think-time', '5'], '--think-time was "5"', '500ms'],
  [['--out', 'cloud'], '--out was "cloud": there is no such output', 'opentelemetry'],
])('%s is refused before anything is sent', (argv, message, nextStep) => {
  const problem = problemOf(...argv)
  expect(problem.exitCode).toBe(2)
  expect(problem.message).toContain(message)
  expect(problem.nextStep).toContain(nextStep)
})

test('a mix is of clients, and a goal of operations', () => {
  const { workload } = parse('--mix', 'browse=9,buy=1', '--goal', 'createOrder p95=1s')
  expect(workload.mix).toEqual([
    { kind: 'browse', weight: 9 },
    { kind: 'buyer', weight: 1 },
  ])
  expect(workload.goals).toMatchObject([{ operation: 'createOrder' }])
})
