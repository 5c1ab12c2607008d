import { describe, expect, test } from 'vitest'
import { StatementTally, type Statement } from './statements.ts'

function say(verdict: Statement['verdict'], observed: string): Statement {
  return { requirement: 'GET-03', verdict, observed }
}

const MANY = Array.from({ length: 1000 }, (_, index) => say('fail', `place ${index}`))

describe('what is stated of a requirement', () => {
  test('counts all places and names the first of the worst', () => {
    const tally = new StatementTally([say('pass', 'right'), ...MANY])
    const [finding] = tally.findings()
    expect(finding).toMatchObject({
      requirement: 'GET-03',
      verdict: 'fail',
      statement: 'answers under load, judged in 1001 places; 1000 fail',
      observed: 'place 0; place 1; place 2; place 3; place 4; 995 more places alike',
    })
  })

  test('two tallies say what all their statements say', () => {
    const tally = new StatementTally(MANY.slice(0, 3))
    tally.addAll(new StatementTally(MANY.slice(3)))
    expect(tally.findings()).toEqual(new StatementTally(MANY).findings())
  })

  test('is left open as far as asked, and nothing else is', () => {
    const other: Statement = { requirement: 'GET-04', verdict: 'pass', observed: 'found' }
    const tally = new StatementTally([say('pass', 'right'), say('fail', 'wrong'), other])
    const open = tally.leftOpen((requirement) => requirement === 'GET-03', 'why')
    expect(open.findings()).toMatchObject([
      { requirement: 'GET-03', verdict: 'inconclusive', observed: 'wrong (why); right (why)' },
      { requirement: 'GET-04', verdict: 'pass', observed: 'found' },
    ])
    expect(tally.verdicts().get('GET-03')).toBe('fail')
    const held = tally.leftOpen((_, verdict) => verdict === 'pass', 'why')
    expect(held.findings()).toMatchObject([
      { requirement: 'GET-03', verdict: 'fail', observed: 'wrong' },
      { requirement: 'GET-04', verdict: 'inconclusive', observed: 'found (why)' },
    ])
  })

  test('one requirement can be taken out', () => {
    const tally = new StatementTally(MANY)
    expect(tally.without('GET-03').findings()).toEqual([])
    expect(tally.findings()).toHaveLength(1)
  })
})
