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
    requestsPerSecond: 2.5,
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
  [['--stages', 's.json', '--rate', '5'], '--stages was given with', '--workload stress'],
  [['--stages', 'no-such-file.json'], '--stages no-such-file.json cannot be read', 'JSON'],
  [['--header', 'X-API-Key: mine'], '--header named X-API-Key', 'ORDERING_KEY'],
  [['--header', 'x-api-key:mine'], '--header named x-api-key', 'ORDERING_KEY'],
  [['--header', 'no colon'], '--header was not of the form', 'X-Load-Test'],
  [['--header', 'X-A: 1\r\nX-API-Key: 2'], '--header was not of the form', 'one line'],
  [['--header', 'X-A: 1', '--header', 'x-a: 2'], '--header named x-a twice', 'once'],
  [['--tag', 'build=1'], '--tag was given without --out', '--label'],
  [['--tag', 'status=1', '--out', 'csv=m.csv'], '--tag named status', 'another'],
  [['--tag', 'a b', '--out', 'csv=m.csv'], '--tag was "a b"', 'build='],
  [['--watch-pid', 'me'], '--watch-pid was "me"', '4711'],
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
