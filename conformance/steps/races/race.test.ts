import { describe, expect, it } from 'vitest'
import { Undecided } from '../../engine/undecided.ts'
import { needPower, repeatUntilPower, BURSTS, BURSTS_MAX, type Trial } from './race.ts'

const isOver = (released: readonly Trial[]): boolean => released.length === 2

const trial = (isTogether: boolean): Trial => ({
  isTogether,
  text: isTogether ? 'together' : 'apart',
})

describe('repeatUntilPower', () => {
  it('ends when enough bursts have arrived together', async () => {
    const released = await repeatUntilPower(() => Promise.resolve(trial(true)))
    expect(released).toHaveLength(BURSTS)
    expect(() => needPower(released, 'orders')).not.toThrow()
  })

  it('repeats those that did not arrive together', async () => {
    const released = await repeatUntilPower((before) =>
      Promise.resolve(trial(before.length % 2 === 1)),
    )
    expect(released).toHaveLength(2 * BURSTS)
    expect(() => needPower(released, 'orders')).not.toThrow()
  })

  it('goes on while something is in doubt', async () => {
    const doubts = [true, true, false]
    const released = await repeatUntilPower(() => Promise.resolve(trial(true)), {
      isInDoubt: () => doubts.shift() ?? false,
    })
    expect(released).toHaveLength(BURSTS + 2)
  })

  it('is bounded, and then too little to pass', async () => {
    const released = await repeatUntilPower(() => Promise.resolve(trial(false)))
    expect(released).toHaveLength(BURSTS_MAX)
    expect(() => needPower(released, 'orders')).toThrow(Undecided)
    expect(() => needPower(released, 'orders')).toThrow(
      'too few orders arrived together to tell: 0 of 10',
    )
  })

  it('ends as soon as it is over', async () => {
    const released = await repeatUntilPower(() => Promise.resolve(trial(true)), { isOver })
    expect(released).toHaveLength(2)
    expect(() => needPower(released, 'orders')).toThrow('2 of 2 bursts, 5 are asked for (96.9 %)')
  })
})
