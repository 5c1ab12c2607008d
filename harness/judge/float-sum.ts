import { formatMoney, type Micros } from '../money.ts'

/** Ways to hold a cap that do not add exactly: whether the last of so many equal amounts is refused, although it fits. */
const WAYS: readonly ((amount: number, count: number, limit: number) => boolean)[] = [
  (amount, count, limit) => sumOf(amount, count) > limit,
  (amount, count, limit) => limit - sumOf(amount, count - 1) < amount,
  (amount, count, limit) => restOf(amount, count - 1, limit) < amount,
  (amount, count, limit) => sumOf(amount, count, Math.fround) > Math.fround(limit),
]

function sumOf(amount: number, count: number, round = (value: number): number => value): number {
  let sum = 0
  for (let added = 0; added < count; added++) sum = round(sum + round(amount))
  return sum
}

function restOf(amount: number, count: number, limit: number): number {
  let rest = limit
  for (let taken = 0; taken < count; taken++) rest -= amount
  return rest
}

/**
 * How many equal purchases use a cap up exactly that floating point takes to be too small for them: the number, up to a limit, that the
 * most ways of calculating get wrong. Undefined where all get all of them right, as with whole amounts.
 */
export function countOfWrongSum(price: Micros, countMax: number): number | undefined {
  const amount = Number(formatMoney(price))
  let found: { readonly count: number; readonly wrong: number } | undefined
  for (let count = 2; count <= countMax; count++) {
    const limit = Number(formatMoney(price * BigInt(count)))
    const wrong = WAYS.filter((isRefused) => isRefused(amount, count, limit)).length
    if (wrong > (found?.wrong ?? 0)) found = { count, wrong }
  }
  return found?.count
}
