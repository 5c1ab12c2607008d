import { expect, test } from 'vitest'
import { K6_VERSION } from '../load/k6/k6-version.ts'
import { parseClusterOptions } from './options.ts'

test('takes what is about the cluster, and leaves the rest as it was', () => {
  const line =
    '--out prepared --instances 4 --namespace=load --separate --target a.json --secret keys --allow-load --runner-image k6:mine'
  expect(parseClusterOptions(line.split(' '))).toEqual({
    directory: 'prepared',
    namespace: 'load',
    secret: 'keys',
    image: 'k6:mine',
    separate: true,
    rest: ['--instances', '4', '--target', 'a.json', '--allow-load'],
  })
})

test('takes the image of the pinned k6 unless another is named', () => {
  expect(parseClusterOptions(['--out', 'prepared'])).toEqual({
    directory: 'prepared',
    secret: 'ordering-harness-keys',
    image: `grafana/k6:${K6_VERSION}`,
    separate: false,
    rest: [],
  })
})

test.each([
  [['--out'], '--out was given without a value'],
  [['--out', ''], '--out was given without a value'],
  [['--secret', 'My_Keys'], 'a name of Kubernetes was expected'],
  [['--namespace', '-x'], 'a name of Kubernetes was expected'],
])('refuses %j', (argv, message) => {
  expect(() => parseClusterOptions(argv)).toThrow(message)
})
