/** The exchanges that each quota of each account counted. */
import { SESSION_OPERATIONS } from '../../../load/protocol/open-model.ts'
import { orderBy, valuesAt } from '../../rows.ts'
import type { LoadKey } from '../rate-limits/plan.ts'
import { QUOTA_OF, type SessionQuota } from './quotas.ts'
import type { SessionTable } from './session-table.ts'

export type QuotaRows = {
  readonly account: string
  readonly quota: SessionQuota
  /** In the order of sending. */
  readonly rows: Uint32Array
}

const QUOTAS = [...new Set(Object.values(QUOTA_OF).filter((quota) => quota !== undefined))]

/** The requests of each account against each of its quotas, in the order in which the first of each came. */
export function quotaRows(
  sessions: SessionTable,
  keys: readonly Pick<LoadKey, 'account'>[],
): QuotaRows[] {
  const accounts = [...new Set(keys.map(({ account }) => account))]
  const accountOf = keys.map(({ account }) => accounts.indexOf(account))
  const quotaOf = SESSION_OPERATIONS.map((operation) => {
    const quota = QUOTA_OF[operation]
    return quota === undefined ? -1 : QUOTAS.indexOf(quota)
  })
  const groups = groupRows(sessions, (row) => {
    const { exchanges } = sessions
    const quota = quotaOf[exchanges.operation.values[row] as number] as number
    const account = accountOf[sessions.keyOf(exchanges.session[row] as number)] ?? 0
    return quota < 0 ? -1 : account * QUOTAS.length + quota
  })
  return [...groups].map(([group, rows]) => ({
    account: accounts[Math.floor(group / QUOTAS.length)] ?? '',
    quota: QUOTAS[group % QUOTAS.length] as SessionQuota,
    rows,
  }))
}

/** Rows by their group, each group in the order of sending; a negative group is none. */
export function groupRows(
  { exchanges }: SessionTable,
  groupOf: (row: number) => number,
): Map<number, Uint32Array> {
  const counts = new Map<number, number>()
  for (let row = 0; row < exchanges.length; row++) {
    const group = groupOf(row)
    if (group >= 0) counts.set(group, (counts.get(group) ?? 0) + 1)
  }
  const groups = new Map([...counts].map(([group, count]) => [group, new Uint32Array(count)]))
  const filled = new Map<number, number>()
  for (let row = 0; row < exchanges.length; row++) {
    const group = groupOf(row)
    if (group < 0) continue
    const at = filled.get(group) ?? 0
    ;(groups.get(group) as Uint32Array)[at] = row
    filled.set(group, at + 1)
  }
  for (const [group, rows] of groups) {
    const order = orderBy(valuesAt(exchanges.sentMs, rows))
    if (order)
      groups.set(
        group,
        order.map((at) => rows[at] as number),
      )
  }
  return groups
}
