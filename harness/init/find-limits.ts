/** Where GET /rate-limits reports each window: by the interface's names of the buckets, and by the numbers of its defaults. Pure. */
import {
  BUCKETS,
  BUCKET_TITLES,
  DEFAULT_LIMITS,
  OWN_LIMITS,
  operationOf,
  type LimitName,
} from '../../contract/limits.ts'
import { OPERATIONS, type Operation } from '../../contract/operations.ts'
import {
  excerptOf,
  pathOf,
  placesOf,
  selectorOf,
  selectorProposal,
  type Place,
  type Proposal,
  type Step,
} from './places.ts'
import { secondsIn } from '../target-file/seconds.ts'
import { memberOf, quoted } from '../target-file/selector-text.ts'
import type { WindowsPattern } from '../target-file/windows-pattern.ts'
import { isContainer } from '../objects.ts'

/** One reported window: the object that holds it, what names it, and how a selector gets there. */
type Entry = {
  readonly limit: LimitName
  readonly value: object
  readonly selector: string
  readonly title: string
}

/** Windows that stand in a list at the same places. */
type Group = { readonly entries: readonly Entry[]; readonly list?: string; readonly name?: string }

export type FoundLimits = {
  readonly proposals: readonly Proposal[]
  readonly windows?: WindowsPattern
}

export function findLimits(json: unknown): FoundLimits {
  const places = placesOf(json)
  const groups: Group[] = [...listed(places), ...keyed(places).map((entries) => ({ entries }))]
  const best = groups.toSorted((a, b) => b.entries.length - a.entries.length)[0]
  if (!best || best.entries.length < 2) return { proposals: [] }
  const members = membersInUnit(best.entries)
  if (!members) return { proposals: [] }
  const windows = patternOf(best, members)
  return {
    proposals: [
      ...unitProposals(members),
      ...best.entries.flatMap((entry) => proposalsOf(entry, members)),
    ],
    ...(windows && { windows }),
  }
}

function patternOf({ entries, list, name }: Group, members: Members): WindowsPattern | undefined {
  if (list === undefined || name === undefined) return undefined
  const names = Object.fromEntries(entries.map(({ limit, title }) => [limit, title]))
  const isUsual = JSON.stringify(sorted(names)) === JSON.stringify(sorted(BUCKET_TITLES))
  const { count, windowSeconds, source } = members
  return {
    list,
    name,
    count: selectorOf(count),
    windowSeconds: selectorOf(windowSeconds),
    ...(source && { source: selectorOf(source) }),
    ...(isUsual ? {} : { names }),
  }
}

function sorted(names: Readonly<Record<string, string>>): unknown {
  return Object.entries(names).toSorted(([a], [b]) => a.localeCompare(b))
}

/** `[{ name: 'GET /orders', … }, …]`: a list whose elements bear a name. */
function listed(places: readonly Place[]): Group[] {
  return places.flatMap(({ path, value }) => {
    if (!Array.isArray(value)) return []
    const elements = (value as unknown[]).filter(isContainer)
    const names = new Set(
      elements.flatMap((each) =>
        placesOf(each)
          .filter(isName)
          .map(({ path }) => JSON.stringify(path)),
      ),
    )
    return [...names].map((name) => {
      const member = JSON.parse(name) as Step[]
      const entries = unique(
        elements.flatMap((each) => {
          const text = at(each, member)
          const limit = typeof text === 'string' ? limitNamed(text) : undefined
          if (limit === undefined) return []
          const query = `@${member.map((step) => memberOf(String(step))).join('')} == ${quoted(text as string)}`
          return [
            { limit, value: each, selector: `${pathOf(path)}[?${query}]`, title: text as string },
          ]
        }),
      )
      return { entries, list: selectorOf(path), name: selectorOf(member) }
    })
  })
}

/** `{ 'GET /orders': { … }, … }`: windows by name. */
function keyed(places: readonly Place[]): Entry[][] {
  return places.flatMap(({ path, value }) => {
    if (!isContainer(value) || Array.isArray(value)) return []
    const entries = Object.entries(value).flatMap(([name, each]) => {
      const limit = limitNamed(name)
      return limit !== undefined && isContainer(each)
        ? [{ limit, value: each, selector: pathOf(path) + memberOf(name), title: name }]
        : []
    })
    return [unique(entries)]
  })
}

/** Two entries for one window cannot be told apart: neither is taken. */
function unique(entries: readonly Entry[]): Entry[] {
  return entries.filter(({ limit }) => entries.filter((each) => each.limit === limit).length === 1)
}

function isName({ path, value }: Place): boolean {
  return (
    typeof value === 'string' && path.length <= 2 && path.every((step) => typeof step === 'string')
  )
}

function at(value: unknown, path: readonly Step[]): unknown {
  return path.reduce<unknown>(
    (inner, step) => (isContainer(inner) ? (inner as Record<string, unknown>)[step] : undefined),
    value,
  )
}

/** The window that a text of the service names. */
export function limitNamed(text: string): LimitName | undefined {
  const words = text.toLowerCase()
  const has = (...all: RegExp[]): boolean => all.every((each) => each.test(words))
  if (has(/unhide/, /pending/)) return 'orders.unhide.pending'
  if (has(/unhide/, /complet/)) return 'orders.unhide.completed'
  if (has(/unhide/, /admi/)) return 'orders.unhide.admission'
  if (has(/order/, /filter/)) return 'orders.filtered'
  if (has(/order/, /check(?!out)/)) return 'orders.check'
  if (/^(?:global[\s_.-]*)?default(?:s)?$/.test(words)) return 'default'
  if (
    /^(?:get[\s_.:-]*)?(?:\/?api\/v1)?\/?orders(?:[\s_.:-]*(?:list|listing|unfiltered|\(list(?:ing)?\)))?$/.test(
      words,
    )
  )
    return /^(?:get|\/?orders[\s_.:-]+|.*list)/.test(words) ? 'orders.list' : undefined
  return OWN_LIMITS.find((own) => isOfOperation(text, own))
}

function isOfOperation(text: string, own: (typeof OWN_LIMITS)[number]): boolean {
  const name = operationOf(own)
  const { method, path }: Operation = OPERATIONS[name]
  if (text === name) return true
  return (
    path !== undefined &&
    [path, `${method} ${path}`, `${method} ${path.replace('/api/v1', '')}`].includes(text)
  )
}

type Unit = 'seconds' | 'milliseconds'

function isInParts(path: readonly Step[]): boolean {
  return MILLISECONDS_NAME.test(String(path.at(-1)))
}

type Members = {
  readonly unit: Unit
  readonly count: readonly Step[]
  readonly windowSeconds: readonly Step[]
  readonly source?: readonly Step[]
  readonly isSure: boolean
}

/** How a run reads the values of an entry. */
function valueOf(what: 'count' | 'windowSeconds', value: unknown, unit: Unit): number | undefined {
  return what === 'count' ? Number(value) : secondsIn(value, unit)
}

const WINDOW_NAME = /sec|window|period|interval|per/i
const COUNT_NAME = /count|limit|max|request|budget|quota|token|allowed/i
const MILLISECONDS_NAME = /^ms$|M[sS]$|[_-]ms$|[mM]illi\w*$/

/** Seconds, unless only milliseconds agree with the defaults or with a name. */
function membersInUnit(entries: readonly Entry[]): Members | undefined {
  const [inSeconds, inParts] = (['seconds', 'milliseconds'] as const).map((unit) =>
    membersOf(entries, unit),
  )
  return inParts && (!inSeconds || (inParts.isSure && !inSeconds.isSure)) ? inParts : inSeconds
}

/** Which members of an entry say count, window and source: by the defaults' numbers first, by their names else. */
function membersOf(entries: readonly Entry[], unit: Unit): Members | undefined {
  const [first] = entries
  if (!first) return undefined
  const paths = placesOf(first.value).map(({ path }) => path)
  const numeric = paths.filter((path) => entries.every(({ value }) => isNumeric(at(value, path))))
  const timed = paths.filter((path) =>
    entries.every(({ value }) => secondsIn(at(value, path)) !== undefined),
  )
  const agree = (path: readonly Step[], what: 'count' | 'windowSeconds'): number =>
    entries.filter(
      ({ limit, value }) =>
        valueOf(what, at(value, path), unit) ===
        (DEFAULT_LIMITS as Partial<Record<LimitName, { count: number; windowSeconds: number }>>)[
          limit
        ]?.[what],
    ).length
  const known = entries.filter(({ limit }) => (BUCKETS as readonly string[]).includes(limit)).length
  const named = (pattern: RegExp, among = numeric): (readonly Step[])[] =>
    among.filter((path) => pattern.test(String(path.at(-1))))
  const sure = (what: 'count' | 'windowSeconds', pattern: RegExp): readonly Step[] | undefined => {
    const ranked = (what === 'count' ? numeric : timed).filter(
      (path) => agree(path, what) >= Math.max(2, known / 2),
    )
    return (
      ranked.find((path) => pattern.test(String(path.at(-1)))) ??
      (ranked.length === 1 ? ranked[0] : undefined)
    )
  }
  const windows =
    unit === 'milliseconds'
      ? timed.filter(isInParts)
      : named(WINDOW_NAME, timed).filter((path) => !isInParts(path))
  const windowSeconds =
    sure('windowSeconds', WINDOW_NAME) ?? (windows.length === 1 ? windows[0] : undefined)
  const counts = named(COUNT_NAME).filter((path) => path !== windowSeconds && !isInParts(path))
  const rest = numeric.filter((path) => path !== windowSeconds)
  const count =
    sure('count', COUNT_NAME) ??
    (counts.length === 1 ? counts[0] : rest.length === 1 ? rest[0] : undefined)
  if (!count || !windowSeconds || count === windowSeconds) return undefined
  const source = paths.find((path) =>
    entries.every(({ value }) => ['rule', 'default'].includes(String(at(value, path)))),
  )
  const isSure = agree(count, 'count') >= 2 && agree(windowSeconds, 'windowSeconds') >= 2
  return { unit, count, windowSeconds, ...(source && { source }), isSure }
}

function isNumeric(value: unknown): boolean {
  return typeof value === 'number' || (typeof value === 'string' && /^\d+(\.\d+)?$/.test(value))
}

function unitProposals({ unit, isSure }: Members): Proposal[] {
  if (unit === 'seconds') return []
  return [
    {
      at: ['operations', 'rateLimits', 'windowUnit'],
      value: unit,
      excerpt: '',
      why: 'windows of the report are plain numbers of it',
      certainty: isSure ? 'sure' : 'likely',
    },
  ]
}

function proposalsOf({ limit, value, selector }: Entry, members: Members): Proposal[] {
  const { isSure, unit, ...named } = members
  const defaults = (DEFAULT_LIMITS as Record<string, Record<string, unknown>>)[limit]
  const isDefault = (['count', 'windowSeconds'] as const).every(
    (name) => defaults?.[name] === valueOf(name, at(value, named[name]), unit),
  )
  return Object.entries(named).map(([name, path]) => {
    const found = at(value, path)
    const place = selector + path.map((step) => memberOf(String(step))).join('')
    return selectorProposal('rateLimits', `${limit}.${name}`, place, {
      excerpt: excerptOf([name === 'windowSeconds' ? secondsIn(found, unit) : found]),
      why: isDefault ? 'the default of the interface' : `beside the name of ${limit}`,
      certainty: isSure ? 'sure' : 'likely',
    })
  })
}
