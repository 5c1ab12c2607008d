/** The report of limits, told once: a list whose elements name a window and hold its numbers at the same places. */
import { BUCKETS, BUCKET_TITLES, type Bucket, type LimitName } from '../../contract/limits.ts'
import type { Operation as FileOperation } from '../../schemas/generated/target.ts'
import { quoted, stepsOf } from './selector-text.ts'

export type WindowsPattern = NonNullable<FileOperation['windows']>

/** The selectors that a pattern stands for. */
export function windowSelectors(pattern: WindowsPattern | undefined): Record<string, string> {
  if (!pattern) return {}
  const { list, name, names, count, windowSeconds, source } = pattern
  const path = list.startsWith('$') ? list.replace(/(?:\[\*\]|\.\*)$/, '') : `$${stepsOf(list)}`
  const members = { count, windowSeconds, ...(source === undefined ? {} : { source }) }
  return Object.fromEntries(
    (Object.entries(allNames(names)) as [LimitName, string][]).flatMap(([limit, title]) =>
      Object.entries(members).map(([member, place]) => [
        `${limit}.${member}`,
        `${path}[?@${stepsOf(name)} == ${quoted(title)}]${stepsOf(place)}`,
      ]),
    ),
  )
}

/** The given names. If they are of endpoints alone, the buckets keep the names of the interface. */
function allNames(names: WindowsPattern['names'] = {}): NonNullable<WindowsPattern['names']> {
  const isOfBucket = Object.keys(names).some((name) => BUCKETS.includes(name as Bucket))
  return isOfBucket ? names : { ...BUCKET_TITLES, ...names }
}
