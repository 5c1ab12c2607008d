import { describe, expect, test } from 'vitest'
import {
  amountAbove,
  amountsOffStep,
  amountsBelow,
  dearerAmount,
  fractionalAmount,
  largestAmount,
  leastPrice,
  permittedAmounts,
  quantityRuleOf,
} from './quantity.ts'

const rule = (min: number, max: number, step: number): ReturnType<typeof quantityRuleOf> =>
  quantityRuleOf({ minQuantity: min, maxQuantity: max, stepQuantity: step, unitPrice: '0.02' })

describe('quantity rule of an item', () => {
  test('what the item leaves out does not restrict', () => {
    expect(quantityRuleOf({})).toEqual({ min: 1, max: undefined, step: 1, unitPrice: undefined })
  })

  test('what is no integer is not taken for one', () => {
    expect(quantityRuleOf({ minQuantity: '10', stepQuantity: 0 })).toMatchObject({
      min: 1,
      step: 1,
    })
  })
})

describe('amounts', () => {
  test('the smallest permitted one is on a step in both ways of counting', () => {
    expect(permittedAmounts(rule(10, 100, 10))).toEqual([10])
    expect(permittedAmounts(rule(1, 100, 1))).toEqual([1])
  })

  test('where the ways of counting disagree, both have their turn', () => {
    expect(permittedAmounts(rule(5, 100, 3))).toEqual([5, 6])
  })

  test('below the minimum, on a step, just below and below zero', () => {
    expect(amountsBelow(rule(20, 100, 10))).toEqual([10, 19, -20])
    expect(amountsBelow(rule(10, 100, 10))).toEqual([0, 9, -10])
    expect(amountsBelow(rule(1, 100, 1))).toEqual([0, -1])
    expect(amountsBelow(rule(0, 100, 1))).toEqual([-1])
  })

  test('the largest, on a step in both ways of counting', () => {
    expect(largestAmount(rule(10, 5000, 10))).toBe(5000)
    expect(largestAmount(rule(10, 5005, 10))).toBe(5000)
    expect(largestAmount(rule(5, 100, 3))).toBeUndefined()
    expect(largestAmount(quantityRuleOf({}))).toBeUndefined()
  })

  test('above the maximum, on a step where that can be', () => {
    expect(amountAbove(rule(10, 5000, 10))).toBe(5010)
    expect(amountAbove(rule(10, 5005, 10))).toBe(5010)
    expect(amountAbove(rule(5, 100, 3))).toBe(101)
    expect(amountAbove(quantityRuleOf({}))).toBeUndefined()
  })

  test('off every step, within the limits', () => {
    expect(amountsOffStep(rule(10, 100, 10))).toEqual([11, 15])
    expect(amountsOffStep(rule(20, 100, 2))).toEqual([21])
    expect(amountsOffStep(rule(5, 100, 3))).toEqual([7])
    expect(amountsOffStep(rule(1, 100, 1))).toEqual([])
    expect(amountsOffStep(rule(1, 100, 2))).toEqual([])
    expect(amountsOffStep(rule(10, 10, 10))).toEqual([])
  })

  test('a fraction of a unit, within the limits', () => {
    expect(fractionalAmount(rule(10, 100, 10))).toBe(10.5)
    expect(fractionalAmount(rule(10, 10, 10))).toBeUndefined()
  })

  test('a dearer amount costs two cents more at least', () => {
    expect(dearerAmount(rule(10, 100, 10), 10)).toBe(20)
    expect(dearerAmount(rule(10, 15, 10), 10)).toBeUndefined()
    expect(dearerAmount({ ...rule(1, 100, 1), unitPrice: 1_000n }, 1)).toBe(21)
    expect(dearerAmount(quantityRuleOf({}), 1)).toBeUndefined()
  })

  test('the least price is the product, less a cent where it is no whole number of cents', () => {
    expect(leastPrice(20_000n, 10)).toBe(200_000n)
    expect(leastPrice(3_333n, 10)).toBe(23_330n)
  })
})
