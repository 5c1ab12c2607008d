import { formatMoney, type Micros } from '../money.ts'

/** Ways to hold a cap that do not add exactly: whether the last of so many equal amounts is refused, although it fits. */
const WAYS: readonly ((amount: number, count: number, limit: number) => boolean)[] = [
  (amount, count, limit) => sumOf(amount, count) > limit,
  (amount, count, limit) => limit - sumOf(amount, count - 1) < amount,
  (amount, count, limit) => restOf(amount, count - 1, limit) < amount,
  (amount, count, limit) => sumOf(amount, count, Math.fround) > Math.fround(limit),
  (amount, count, limit) => restOf(amount, count - 1, limit, Math.fround) < Math.fround(amount),
]

type Round = (value: number) => number
const asIs: Round = (value) => value

function sumOf(amount: number, count: number, round = asIs): number {
  let sum = 0
  for (let added = 0; added < count; added++) sum = round(sum + round(amount))
  return sum
}

function restOf(amount: number, count: number, limit: number, round = asIs): number {
  let rest = round(limit)
  for (let taken = 0; taken < count; taken++) rest = round(rest - round(amount))
  return rest
}

/**
 * How many equal purchases use a cap up exactly that floating point takes to be too small for them: numbers, up to a limit. Each shows
 * ways of calculating that those before it do not; the one that shows the most comes first. Empty where all ways get all of them
 * right, as with whole amounts.
 */
export function countsOfWrongSum(price: Micros, countMax: number): readonly number[] {
  const amount = Number(formatMoney(price))
  const wrongAt = (count: number): Set<number> => {
    const limit = Number(formatMoney(price * BigInt(count)))
    return new Set(WAYS.keys().filter((way) => WAYS[way]?.(amount, count, limit) === true))
  }
  const tried = Array.from({ length: Math.max(0, countMax - 1) }, (_, index) => index + 2)
  const wrong = new Map(tried.map((count) => [count, wrongAt(count)]))
  const counts: number[] = []
  let shown = new Set<number>()
  for (;;) {
    const [best] = [...wrong].toSorted(([, a], [, b]) => newIn(b, shown) - newIn(a, shown))
    if (best === undefined || newIn(best[1], shown) === 0) return counts
    counts.push(best[0])
    shown = shown.union(best[1])
  }
}

function newIn(wrong: ReadonlySet<number>, shown: ReadonlySet<number>): number {
  return wrong.difference(shown).size
}
