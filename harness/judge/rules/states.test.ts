import { expect, test } from 'vitest'
import { seenAfterEnd, type Sight } from './states.ts'

/** Letters: a purchase or its replay (P, p) and a read (R, r), of an order that has ended (capital) or is pending. */
function sights(letters: string): Sight[] {
  return letters.split('').map((letter, index) => ({
    state: letter === letter.toUpperCase() ? 'SUCCESS' : 'IN_PROGRESS',
    isPosted: letter.toUpperCase() === 'P',
    sentMs: 10 * index,
    receivedMs: 10 * index + 5,
  }))
}

function later(letters: string): number[] {
  return (seenAfterEnd(sights(letters))?.later ?? []).map(({ sentMs }) => sentMs / 10)
}

test.each([
  ['pr', [], 'no end was shown'],
  ['pRR', [2], 'reads after the end count'],
  ['pRp', [], 'a replay may show the pending answer again'],
  ['Pp', [1], 'a replay of an order that ended at once cannot be pending'],
  ['Rp', [], 'the answer that was lost may have been pending'],
  ['RP', [1], 'a replay that shows the end counts'],
])('of %s the sights %j are held against the end: %s', (letters, expected) => {
  expect(later(letters)).toEqual(expected)
})
