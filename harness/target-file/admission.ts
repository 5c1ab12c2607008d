import { DEFAULT_LIMITS, type LimitName, type WindowLimit } from '../../contract/limits.ts'

type Limits = Readonly<Partial<Record<LimitName, WindowLimit>>>

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b)
}

/**
 * The unhide admission budget that follows from the two budgets it is made of: it has no setting of its own (interface, Limits,
 * rule 2). Windows are taken to the millisecond, so that shortened ones may be fractions of a second.
 */
export function admissionBudget(limits: Limits): WindowLimit {
  const pending = limits['orders.unhide.pending'] ?? DEFAULT_LIMITS['orders.unhide.pending']
  const completed = limits['orders.unhide.completed'] ?? DEFAULT_LIMITS['orders.unhide.completed']
  const [pendingMs, completedMs] = [pending, completed].map((limit) =>
    Math.round(limit.windowSeconds * 1000),
  )
  return {
    count: pending.count + completed.count,
    windowSeconds: greatestCommonDivisor(pendingMs ?? 0, completedMs ?? 0) / 1000,
  }
}

/** The stated limits, with the admission budget where one of its parts is stated. */
export function withAdmission(limits: Limits): Limits {
  const stated = limits['orders.unhide.pending'] ?? limits['orders.unhide.completed']
  return stated === undefined
    ? limits
    : { ...limits, 'orders.unhide.admission': admissionBudget(limits) }
}
