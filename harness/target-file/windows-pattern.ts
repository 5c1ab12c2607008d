/** The report of limits, told once: a list whose elements name a window and hold its numbers at the same places. */
import { BUCKET_TITLES, type LimitName } from '../../contract/limits.ts'
import type { Operation as FileOperation } from '../../schemas/generated/target.ts'
import { quoted, stepsOf } from './selector-text.ts'

export type WindowsPattern = NonNullable<FileOperation['windows']>

/** The selectors that a pattern stands for. */
export function windowSelectors(pattern: WindowsPattern | undefined): Record<string, string> {
  if (!pattern) return {}
  const { list, name, names = BUCKET_TITLES, count, windowSeconds, source } = pattern
  const path = list.startsWith('$') ? list.replace(/\[\*\]$/, '') : `$${stepsOf(list)}`
  const members = { count, windowSeconds, ...(source === undefined ? {} : { source }) }
  return Object.fromEntries(
    (Object.entries(names) as [LimitName, string][]).flatMap(([limit, title]) =>
      Object.entries(members).map(([member, place]) => [
        `${limit}.${member}`,
        `${path}[?@${stepsOf(name)} == ${quoted(title)}]${stepsOf(place)}`,
      ]),
    ),
  )
}
