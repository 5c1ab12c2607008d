import { expect, it } from 'vitest'
import { parseRunOptions } from './options.ts'
import { sameTarget } from './repeat.ts'

it.each([
  [[], ''],
  [['--target', 'staging.target.json'], ' --target staging.target.json'],
  [['--base-url', 'https://sandbox.example'], ' --base-url https://sandbox.example'],
  [['--fault', 'a', '--fault', 'b', '--window-seconds', '60'], ' --fault a,b --window-seconds 60'],
  [['--target', "it's here.json"], String.raw` --target 'it'\''s here.json'`],
])('%j is repeated with%s', (argv, expected) => {
  expect(sameTarget(parseRunOptions('gate', argv))).toBe(expected)
})
