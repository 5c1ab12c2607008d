import { readAsFile } from '../../../test/support/evidence-text.ts'
import { describe, expect, test } from 'vitest'
import { importEvidence } from './import.ts'
import { pickRows } from '../evidence/row-columns.ts'
import { quotaColumns } from '../evidence/quota-columns.ts'
import { inSentOrder, type Samples } from './samples.ts'
import { listOf, samplesFrom, type LoadSample } from '../../../test/support/samples.ts'

const SAMPLE: LoadSample = {
  key: 0,
  phase: 'at',
  sentMs: 1,
  receivedMs: 2,
  status: 200,
}
const REFUSED: LoadSample = { ...SAMPLE, sentMs: 3, receivedMs: 4, status: 429, code: 8 }

function sentTimes(samples: Samples): number[] {
  return [...samples.sentMs]
}

describe('streams of one quota', async () => {
  const evidence = await readAsFile(
    [
      'x 0 0 0 1000 2000 200 - - n',
      'x 0 0 0 5000 6000 429 8 3 r',
      'x 1 1 0 2000 3000 429 8 4 n',
      '',
    ].join('\n'),
    (file) => importEvidence(file, { streams: 2, interrupted: true }),
  )
  const parts = evidence.streams.map(({ samples }) => samples)

  test('are put in the order of sending together', () => {
    const samples = inSentOrder(parts)
    expect(sentTimes(samples)).toEqual([1, 2, 5])
    expect([...samples.key]).toEqual([0, 1, 0])
    expect(listOf(samples).map(({ retryAfter }) => retryAfter)).toEqual([undefined, '4', '3'])
  })

  test('are not copied where one stream is alone and in order', () => {
    expect(inSentOrder(parts.slice(0, 1))).toBe(parts[0])
    expect(inSentOrder([])).toHaveLength(0)
  })

  test('of two files are refused, for their texts differ', () => {
    expect(() => inSentOrder([samplesFrom([SAMPLE]), samplesFrom([REFUSED])])).toThrow(RangeError)
  })
})

test('some rows are picked in the order given', () => {
  expect(sentTimes(pickRows(samplesFrom([SAMPLE, REFUSED]), Uint32Array.of(1, 0)))).toEqual([3, 1])
})

test('the oracle gets outcomes and promises', () => {
  const samples = samplesFrom([
    SAMPLE,
    { ...REFUSED, retryAfter: '7' },
    { ...REFUSED, retryAfter: 'soon' },
    { ...SAMPLE, status: 404 },
    { ...SAMPLE, status: 0 },
  ])
  const { outcomes, promisedSeconds } = quotaColumns(samples)
  expect([...outcomes]).toEqual([0, 1, 1, 2, 3])
  expect([...promisedSeconds]).toEqual([Number.NaN, 7, Number.NaN, Number.NaN, Number.NaN])
})
