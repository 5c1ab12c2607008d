/** What a server writes where a message, a code, an amount or an address belongs: megabytes of it are judged at once. */
import { expect, test } from 'vitest'
import { strangeIdLike } from '../steps/reading.ts'
import { clip } from './describe.ts'
import { looksLikeEnvelope } from '../../harness/gate/presence.ts'
import { parseMoney } from '../../harness/money.ts'
import { layOutJson } from '../../harness/report/shared/json-layout.ts'
import { ipsIn, parseIp } from '../../harness/judge/addresses.ts'
import { isMasked, isTraceable } from '../../harness/judge/codes.ts'
import { amountsIn } from '../../harness/judge/spend-message.ts'

const BYTES = 16 * 1024 * 1024
const TEXTS = [
  'a',
  '0',
  '1,',
  '1.',
  '9',
  ':',
  '%',
  '*',
  '- ',
  '"traceId"',
  '{"a":',
  'caller not in ',
].map((unit) => unit.repeat(BYTES / unit.length))

test.each<[string, (text: string) => unknown]>([
  ['amountsIn', amountsIn],
  ['parseMoney', parseMoney],
  ['parseIp', parseIp],
  ['ipsIn', ipsIn],
  ['isMasked', isMasked],
  ['isTraceable', isTraceable],
  ['strangeIdLike', strangeIdLike],
  ['looksLikeEnvelope', looksLikeEnvelope],
  ['clip', clip],
  ['layOutJson', layOutJson],
])('%s reads any text of 16 MiB', (_name, read) => {
  for (const text of TEXTS) expect(() => read(text)).not.toThrow()
})

test('what is long enough is still found in front of anything', () => {
  expect(amountsIn(`left 12.50, ${'1,'.repeat(1_000_000)}`)).toContain(12_500_000n)
  expect(ipsIn(`caller 192.0.2.7 ${'1.'.repeat(1_000_000)}`)[0]?.text).toBe('192.0.2.7')
  expect(strangeIdLike(`ord-17${'-'.repeat(900)}`)).toMatch(/^ord-12-+$/)
})
