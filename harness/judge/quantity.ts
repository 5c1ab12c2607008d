/** Amounts of a quantity-mode item that decide one rule each. Whether steps are counted from zero or from the minimum is not shown. */
import { parseMoney, type Micros } from '../money.ts'

export type QuantityRule = {
  readonly min: number
  /** Undefined: the item states none. */
  readonly max: number | undefined
  readonly step: number
  readonly unitPrice: Micros | undefined
}

/** What a ProductItem says; what it leaves out does not restrict. */
export function quantityRuleOf(item: Readonly<Record<string, unknown>>): QuantityRule {
  return {
    min: integerOf(item['minQuantity']) ?? 1,
    max: integerOf(item['maxQuantity']),
    step: Math.max(1, integerOf(item['stepQuantity']) ?? 1),
    unitPrice: typeof item['unitPrice'] === 'string' ? parseMoney(item['unitPrice']) : undefined,
  }
}

function integerOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : undefined
}

function isOnStep(amount: number, { min, step }: QuantityRule): boolean {
  return amount % step === 0 && (amount - min) % step === 0
}

function isOffStep(amount: number, { min, step }: QuantityRule): boolean {
  return amount % step !== 0 && (amount - min) % step !== 0
}

function isWithin(amount: number, { min, max = Infinity }: QuantityRule): boolean {
  return amount >= min && amount <= max
}

/** At least one of these amounts must be accepted: the smallest that is right however steps are counted, or the smallest of each way. */
export function permittedAmounts(rule: QuantityRule): readonly number[] {
  const { min, step } = rule
  const first = Math.max(1, min)
  const fromZero = Math.ceil(first / step) * step
  const amounts = isOnStep(fromZero, rule) ? [fromZero] : [first, fromZero]
  return amounts.filter((amount) => isWithin(amount, rule))
}

/** The most units that are right however steps are counted; undefined without a maximum. */
export function largestAmount(rule: QuantityRule): number | undefined {
  const { max, step } = rule
  if (max === undefined) return undefined
  const onStep = Math.floor(max / step) * step
  return isOnStep(onStep, rule) && isWithin(onStep, rule) ? onStep : undefined
}

/** Fewer units than the minimum: on a step where that can be, just below, and a permitted number below zero. */
export function amountsBelow(rule: QuantityRule): readonly number[] {
  const { min, step } = rule
  const fewer = [min - step, min - 1].filter((amount) => amount >= 0)
  const negative = -(permittedAmounts(rule)[0] ?? step)
  return [...new Set([...fewer, negative])].filter((amount) => amount < min)
}

/** The fewest units above the maximum that no step forbids; undefined without a maximum. */
export function amountAbove(rule: QuantityRule): number | undefined {
  const { max, step } = rule
  if (max === undefined) return undefined
  const onStep = (Math.floor(max / step) + 1) * step
  return isOnStep(onStep, rule) ? onStep : max + 1
}

/** Amounts within the limits that no step reaches, however steps are counted: the first one, and one on half of a step. */
export function amountsOffStep(rule: QuantityRule): readonly number[] {
  const { step } = rule
  const first = Math.max(1, rule.min)
  const near = Array.from({ length: 2 * step }, (_, index) => first + index)
  const off = near.filter((amount) => isOffStep(amount, rule) && isWithin(amount, rule))
  const half = off.find((amount) => amount % (step / 2) === 0)
  return [...new Set([...off.slice(0, 1), ...(half === undefined ? [] : [half])])]
}

/** A permitted amount with half a unit more. */
export function fractionalAmount(rule: QuantityRule): number | undefined {
  const amount = (permittedAmounts(rule)[0] ?? Number.NaN) + 0.5
  return isWithin(amount, rule) ? amount : undefined
}

const CENT: Micros = 10_000n

/** A permitted amount that costs two cents more at least than the given one; undefined where the limits leave none. */
export function dearerAmount(rule: QuantityRule, amount: number): number | undefined {
  const { step, unitPrice } = rule
  if (unitPrice === undefined || unitPrice <= 0n) return undefined
  const units = Number((2n * CENT + unitPrice - 1n) / unitPrice)
  const dearer = amount + Math.ceil(units / step) * step
  return isWithin(dearer, rule) ? dearer : undefined
}

/** Least price of so many units: their product, or one cent less where it has to be rounded (how is not shown). */
export function leastPrice(unitPrice: Micros, amount: number): Micros {
  const product = unitPrice * BigInt(amount)
  return product % CENT === 0n ? product : product - CENT
}
