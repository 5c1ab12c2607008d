import type { Account } from './accounts.ts'

/** Pays back what cancelled orders cost, once they are ready. */
export function settleRefunds(account: Account, nowMs: number): void {
  if (account.refunds.length === 0) return
  const due = account.refunds.filter((refund) => refund.readyAtMs <= nowMs)
  account.refunds = account.refunds.filter((refund) => refund.readyAtMs > nowMs)
  for (const refund of due) account.balanceMinor += refund.amountMinor
}
