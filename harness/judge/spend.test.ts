import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { judgeSpend, type SpendEvent, type SpendOutcome } from './spend.ts'

const SEED = 20_260_501

/** Whether some order of the events, which keeps what came after an answer after it, fits a counter with a cap. */
function explained(headroom: bigint, events: readonly SpendEvent[]): boolean {
  const search = (left: readonly SpendEvent[], used: bigint): boolean =>
    left.length === 0 ||
    left.some((event) => {
      const rest = left.filter((each) => each !== event)
      if (rest.some(({ receivedMs }) => receivedMs < event.sentMs)) return false
      return afterwards(event, used, headroom).some((next) => search(rest, next))
    })
  return search(events, 0n)
}

/** What the counter may show after an event; nothing where the event cannot have happened. */
function afterwards({ outcome, amount }: SpendEvent, used: bigint, headroom: bigint): bigint[] {
  const fits = used + amount <= headroom
  if (outcome === 'none') return [used]
  if (outcome === 'ok') return fits ? [used + amount] : []
  if (outcome === 'refused') return fits ? [] : [used]
  return fits ? [used, used + amount] : [used]
}

function histories(outcomes: readonly SpendOutcome[]): fc.Arbitrary<SpendEvent[]> {
  const event = fc.record({
    outcome: fc.constantFrom(...outcomes),
    amount: fc.integer({ min: 1, max: 4 }).map(BigInt),
    sentMs: fc.integer({ min: 0, max: 8 }),
    lasts: fc.integer({ min: 0, max: 5 }),
  })
  return fc
    .array(event, { maxLength: 6 })
    .map((events) =>
      events.map(({ lasts, ...each }) => ({ ...each, receivedMs: each.sentMs + lasts })),
    )
}

const headrooms = fc.integer({ min: 0, max: 9 }).map(BigInt)

function fits(headroom: bigint, events: readonly SpendEvent[]): boolean {
  const { overspent, falseRefusals } = judgeSpend(headroom, events)
  return overspent === 0n && falseRefusals.length === 0
}

const at = (outcome: SpendOutcome, amount: bigint, sentMs: number): SpendEvent => ({
  outcome,
  amount,
  sentMs,
  receivedMs: sentMs + 1,
})

describe('judgeSpend', () => {
  test('agrees with an exhaustive search on random histories without unknowns', () => {
    const seen = { fits: 0, breaks: 0 }
    fc.assert(
      fc.property(headrooms, histories(['ok', 'refused', 'none']), (headroom, events) => {
        const judged = fits(headroom, events)
        seen[judged ? 'fits' : 'breaks'] += 1
        expect(judged).toBe(explained(headroom, events))
      }),
      { numRuns: 8_000, seed: SEED },
    )
    // Both verdicts have to occur often, or the agreement says little.
    expect(Math.min(seen.fits, seen.breaks)).toBeGreaterThan(1_000)
  })

  test('never alarms where unknowns can explain a history', () => {
    let explainedCount = 0
    fc.assert(
      fc.property(headrooms, histories(['ok', 'refused', 'unknown']), (headroom, events) => {
        if (!explained(headroom, events)) return
        explainedCount += 1
        expect(fits(headroom, events)).toBe(true)
      }),
      { numRuns: 6_000, seed: SEED },
    )
    expect(explainedCount).toBeGreaterThan(1_000)
  })

  test('tells by how much was overspent and which refusals nothing explains', () => {
    expect(judgeSpend(10n, [at('ok', 6n, 0), at('ok', 5n, 0)])).toEqual({
      okSum: 11n,
      overspent: 1n,
      falseRefusals: [],
    })
    const history = [at('refused', 4n, 0), at('ok', 6n, 5), at('refused', 5n, 10)]
    expect(judgeSpend(10n, history)).toEqual({ okSum: 6n, overspent: 0n, falseRefusals: [0] })
  })

  test('judges 100,000 purchases at once, where a quadratic method would take minutes', () => {
    const events = Array.from({ length: 100_000 }, (_, index): SpendEvent => ({
      outcome: index % 2 === 0 ? 'ok' : 'refused',
      amount: 1n,
      sentMs: index,
      receivedMs: index + 3,
    }))
    const started = process.threadCpuUsage()
    expect(judgeSpend(50_000n, events).falseRefusals.length).toBeGreaterThan(0)
    expect(process.threadCpuUsage(started).user / 1_000).toBeLessThan(5_000)
  })
})
