import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { missingSegment, parseHeader, shiftLine, shiftsOf, startSpreadMs } from './merge.ts'
import { segmentsOf } from './segments.ts'

describe('header of an instance', () => {
  it('gives the run, the segment and both clocks', () => {
    expect(parseHeader('i 1 4f2a 1/3:2/3 1795259174782000 4500', 'a')).toEqual({
      run: '4f2a',
      segment: '1/3:2/3',
      startedUs: 1795259174782000,
      zeroUs: 1795259174777500,
    })
  })

  it.each([
    ['x 0 0 0 1 2 200 - - n', 'does not begin with the header'],
    ['', 'does not begin with the header'],
    ['i 1 4f2a - 17x 4500', 'does not begin with the header'],
    ['i 1 4f2a - 1795259174782000', 'does not begin with the header'],
    ['i 2 4f2a - 1795259174782000 4500', 'has version 2, expected 1'],
  ])('refuses %j', (line, message) => {
    expect(() => parseHeader(line, 'a.evidence.txt')).toThrow(message)
    expect(() => parseHeader(line, 'a.evidence.txt')).toThrow('a.evidence.txt')
  })
})

describe('instances on one clock', () => {
  const headers = [
    { run: 'r', segment: '0:1/2', startedUs: 2_004_000, zeroUs: 2_000_000 },
    { run: 'r', segment: '1/2:1', startedUs: 2_007_000, zeroUs: 1_999_000 },
  ]

  it('counts from the earliest time 0', () => {
    expect(shiftsOf(headers)).toEqual([1000, 0])
    expect(startSpreadMs(headers)).toBe(3)
    expect(startSpreadMs([])).toBe(0)
  })

  it('moves the times of a line and nothing else', () => {
    const times = { x: [4, 5], o: [7, 8] }
    const line = 'x 0 1 2 100 200 429 8 1 r'
    expect(shiftLine(line, times, 50)).toBe('x 0 1 2 150 250 429 8 1 r')
    expect(shiftLine(line, times, 0)).toBe(line)
    expect(shiftLine('e 0 100 done', times, 50)).toBe('e 0 100 done')
    expect(shiftLine('', times, 50)).toBe('')
    // What is malformed stays so: the importer names it.
    expect(shiftLine('x 0 1 2 1e5 200 429', times, 50)).toBe('x 0 1 2 1e5 250 429')
  })

  it('keeps the order of what happened, however the test clocks started', () => {
    const time = fc.integer({ min: 0, max: 1e9 })
    fc.assert(
      fc.property(fc.array(time, { minLength: 1, maxLength: 5 }), time, time, (zeros, a, b) => {
        const all = zeros.map((zeroUs) => ({ run: 'r', segment: '-', startedUs: zeroUs, zeroUs }))
        const shifts = shiftsOf(all)
        const firstUs = Math.min(...zeros)
        for (const [index, zeroUs] of zeros.entries()) {
          const moved = shiftLine(`x 0 0 0 ${a} ${a + b}`, { x: [4, 5] }, shifts[index] ?? 0)
          const [sent, received] = moved.split(' ').slice(4).map(Number)
          expect(sent).toBe(zeroUs + a - firstUs)
          expect(received).toBe(zeroUs + a + b - firstUs)
        }
      }),
    )
  })
})

describe('segments of a plan', () => {
  it.each([2, 3, 4, 7])('%i of them make it whole, in any order', (instances) => {
    expect(missingSegment(segmentsOf(instances).toReversed())).toBeUndefined()
  })

  it('is whole with one process that has no segment', () => {
    expect(missingSegment(['-'])).toBeUndefined()
  })

  it('names the part that nobody carried out', () => {
    expect(missingSegment([])).toBe('0:1')
    expect(missingSegment(['1/2:1'])).toBe('0:1/2')
    expect(missingSegment(['0:1/4', '1/2:3/4', '3/4:1'])).toBe('1/4:1/2')
    expect(missingSegment(['0:1/3', '1/3:2/3'])).toBe('2/3:1')
  })

  it('refuses two instances of one part, and what is no segment', () => {
    expect(() => missingSegment(['0:1/2', '0:1/2', '1/2:1'])).toThrow('Two instances')
    expect(() => missingSegment(['-', '0:1/2'])).toThrow('Two instances')
    expect(() => missingSegment(['0:2/3', '1/2:1'])).toThrow('Two instances')
    for (const text of ['0', '1/0:1', '1:0', '0:1/2:1', 'a:b'])
      expect(() => missingSegment([text])).toThrow('execution segment')
  })
})
