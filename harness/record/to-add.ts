/** What would have to be added or corrected for undecided requirements, each told once. */
import { formatMoney, parseMoney } from '../money.ts'
import { CONTROL_SIDE, memberOfFile } from '../target-file/wants.ts'
import { listed } from '../text.ts'
import type { Check, RunRecord, Want } from '../../schemas/generated/run-record.ts'

type ToAdd = NonNullable<RunRecord['toAdd']>

type Deciding = Pick<Check, 'requirements' | 'wants'>

/**
 * By what the check or load scenario that lacks least of those which decide a requirement lacks; what lets decide most comes first.
 * A control side is named only where nothing else helps: few targets can have one.
 */
export function toAddFor(undecided: readonly string[], deciding: readonly Deciding[]): ToAdd {
  const open = undecided.flatMap((requirement) => {
    const wants = deciding
      .filter(({ requirements }) => requirements.includes(requirement))
      .flatMap(({ wants: each }) => (each === undefined || each.length === 0 ? [] : [each]))
      .toSorted((a, b) => costOf(a) - costOf(b))[0]
    return wants ? [{ requirement, wants }] : []
  })
  const groups = Map.groupBy(open, ({ wants }) => keyOf(wants))
  return [...groups.values()]
    .map((group) => ({
      what: textOf(group.map(({ wants }) => wants)),
      requirements: group.map(({ requirement }) => requirement),
    }))
    .toSorted((a, b) => b.requirements.length - a.requirements.length)
}

function costOf(wants: readonly Want[]): number {
  return wants.some(({ what }) => what === CONTROL_SIDE.what) ? Infinity : wants.length
}

const SELECTOR = memberOfFile('selector', '').what
const SELECTORS_MAX = 3

function keyOf(wants: readonly Want[]): string {
  return keysOf(wants).join(' and ')
}

function keysOf(wants: readonly Want[]): string[] {
  return wants.map(({ what }) => what).toSorted()
}

/** What is alike is named with the first few of it: a report that is not described has dozens of selectors. */
function toldOf(wants: readonly Want[]): string {
  const { selectors = [], others = [] } = Object.groupBy(wants, ({ what }) =>
    what.startsWith(SELECTOR) ? 'selectors' : 'others',
  )
  const names = selectors.map(({ what }) => what.slice(SELECTOR.length)).toSorted()
  const told = names.length > 1 ? [`the selectors ${listed(names, SELECTORS_MAX)}`] : []
  return [...told, ...keysOf(names.length > 1 ? others : wants)].join(' and ')
}

/** Of several sizes the largest does for all; in money, where the target file says what a unit costs. */
function textOf(group: readonly (readonly Want[])[]): string {
  const sized = group.flatMap((wants) => wants.filter(({ units }) => units !== undefined))
  const units = Math.max(0, ...sized.map((want) => want.units ?? 0))
  const [currency = '', price] = sized.find((want) => want.unitPrice)?.unitPrice?.split(' ') ?? []
  const each = parseMoney(price)
  const money = each === undefined ? '' : ` ${currency} ${formatMoney(BigInt(units) * each)}:`
  return toldOf(group[0] ?? []).replace(' N units', `${money} ${units} units`)
}
