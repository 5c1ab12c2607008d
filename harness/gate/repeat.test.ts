import { expect, it } from 'vitest'
import { parseRunOptions } from './options.ts'
import { loadFlags, sameTarget } from './repeat.ts'

it.each([
  [[], ''],
  [['--target', 'staging.target.json'], ' --target staging.target.json'],
  [['--base-url', 'https://sandbox.example'], ' --base-url https://sandbox.example'],
  [['--fault', 'a', '--fault', 'b', '--window-seconds', '60'], ' --fault a,b --window-seconds 60'],
  [['--target', "it's here.json"], String.raw` --target 'it'\''s here.json'`],
])('%j is repeated with%s', (argv, expected) => {
  expect(sameTarget(parseRunOptions('gate', argv))).toBe(expected)
})

it.each([
  ['browse', [], ' --workload smoke'],
  ['replay-storm', ['--workload', 'steady', '--rate', '5'], ''],
  [
    'browse',
    ['--mix', 'browse=9,buy=1', '--think-time', '1.5s'],
    ' --workload smoke --think-time 1500ms',
  ],
  [
    'mixed',
    ['--mix', 'browse=9,buy=1', '--goal', 'createOrder p99=200ms', '--goal', 'errors=0.1%'],
    " --workload smoke --mix browse=9,buy=1 --goal 'createOrder p99=200ms' --goal errors=0.1%",
  ],
  [
    'browse',
    ['--goal', 'createOrder p99=200ms', '--seconds', '9'],
    ' --workload smoke --seconds 9',
  ],
  [
    'browse',
    ['--rate', '40', '--header', 'X-Gate: secret', '--out', 'csv=m.csv', '--tag', 'build=1'],
    " --workload smoke --rate 40 --out csv=m.csv --tag build=1 --header 'X-Gate: …'",
  ],
])('load of %s with %j is repeated with%s', (scenario, argv, expected) => {
  const flags = loadFlags({ scenario }, parseRunOptions('load', argv))
  expect(flags).toBe(expected)
  // What is printed can be read again.
  const words = [...flags.replace('…', 'x').matchAll(/'([^']*)'|\S+/g)].map(
    ([word, quoted]) => quoted ?? word,
  )
  expect(loadFlags({ scenario }, parseRunOptions('load', words))).toBe(expected)
})
