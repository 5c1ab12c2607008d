import type { ProductAbility } from '../../contract/capabilities.ts'
import type { Bucket, WindowLimit } from '../../contract/limits.ts'
import type { OperationName } from '../../contract/operations.ts'
import { limitOf, type EffectiveLimit, type EffectiveLimits } from '../quota/effective-limits.ts'

/** Whose counter: that of the account under test, or of the other account that a check asks for (role stranger). */
export type Holder = 'own' | 'other'

/** One counter of a plan, as `own orders.filtered` or `own default listServices`. */
export type CounterName =
  | `${Holder} ${Exclude<Bucket, 'default'>}`
  | `${Holder} default ${OperationName}`

/**
 * What a check sent, bought or spent when it was measured: with the short budgets of the embedded service, and with those of the
 * interface. One number where both are the same.
 */
export type Measured = number | readonly [short: number, full: number]

/** What one check cost when it was measured. */
export type Cost = {
  readonly requests: Readonly<Partial<Record<CounterName, Measured>>>
  /** Orders that were made. */
  readonly orders: Measured
  /** Units of each product that were bought: with its price they are the money. */
  readonly units: Readonly<Partial<Record<ProductAbility, Measured>>>
}

/** Costs of one check, with accounts of its own and with those that all share. Undefined where it could not be carried out. */
export type CheckCosts = { readonly fresh?: Cost; readonly shared?: Cost }

/** conformance/costs.json: measured against the reference service by `npm run measure`, so for another target an estimate. */
export type CostTable = {
  /** The budgets at which was measured. */
  readonly budgets: Readonly<Record<'short' | 'full', Readonly<Record<Bucket, number>>>>
  readonly checks: Readonly<Record<string, CheckCosts>>
}

export const NO_COST: Cost = { requests: {}, orders: 0, units: {} }

export function bucketOf(counter: CounterName): Bucket {
  const [, bucket = ''] = counter.split(' ')
  return bucket as Bucket
}

/** The limit of one counter, by its endpoint where that is known. */
export function limitOfCounter(limits: EffectiveLimits, counter: CounterName): EffectiveLimit {
  const [, , operation] = counter.split(' ')
  return limitOf(limits, bucketOf(counter), operation as OperationName | undefined)
}

export function holderOf(counter: CounterName): Holder {
  return counter.startsWith('other ') ? 'other' : 'own'
}

/** What was measured, at the budget of this target: on the straight line through both measurements. */
export function atBudget(
  measured: Measured,
  bucket: Bucket,
  limit: WindowLimit,
  { budgets }: Pick<CostTable, 'budgets'>,
): number {
  if (typeof measured === 'number') return measured
  const [short, full] = measured
  const [from, to] = [budgets.short[bucket], budgets.full[bucket]]
  if (from === to) return Math.max(short, full)
  const slope = (full - short) / (to - from)
  return Math.max(0, Math.ceil(short + slope * (limit.count - from)))
}

/** What does not depend on one bucket: the larger of both. */
export function largest(measured: Measured): number {
  return typeof measured === 'number' ? measured : Math.max(...measured)
}
