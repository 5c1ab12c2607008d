import { expect, test } from 'vitest'
import { inapplicable, inconclusive, untested } from '../engine/kit.ts'
import { judgeEach } from './judge-each.ts'

const END = {
  pass: () => undefined,
  untested: () => untested('not there'),
  inapplicable: () => inapplicable('right without'),
  inconclusive: () => inconclusive('too slow'),
} as const

type End = keyof typeof END

async function judged(...ends: readonly End[]): Promise<unknown> {
  const open: unknown[] = []
  const context = { leaveUndecided: (...left: unknown[]) => void open.push(left) }
  const judge = (end: End): Promise<void> => Promise.resolve().then(END[end])
  const ending = await judgeEach(context, 'RATE-10', ends, judge).catch((cause: unknown) => cause)
  return ending ?? open
}

test('what cannot be looked at is said beside what was decided', async () => {
  expect(await judged('untested', 'pass', 'inapplicable')).toEqual([
    ['RATE-10', 'not there', 'untested'],
    ['RATE-10', 'right without', 'inapplicable'],
  ])
  expect(await judged('pass', 'pass')).toEqual([])
})

test('what the numbers do not decide stays open, whatever another decided', async () => {
  for (const ends of [
    ['pass', 'inconclusive'],
    ['untested', 'inconclusive', 'pass'],
  ] as const)
    expect(await judged(...ends)).toMatchObject({ verdict: 'inconclusive', message: 'too slow' })
})

test('where nothing could be looked at, the check ends for the first reason', async () => {
  expect(await judged('untested', 'inapplicable')).toMatchObject({ message: 'not there' })
})
