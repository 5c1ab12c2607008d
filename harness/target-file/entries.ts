/** Body templates that list what is asked for: the positions of a cart, the pairs of a lookup. */
import { renderTemplate, templateVariables, type Variables } from './template.ts'
import { isContainer } from '../objects.ts'

/** The list within a template. */
type List = {
  /** Names of the members that lead to it, from the top. */
  readonly path: readonly string[]
  readonly entries: readonly object[]
}

/** A body and how many entries its list has. */
export type RenderedEntries = {
  readonly body: unknown
  readonly count: number
  /** The entries are spelled out by the target file: they are what they are, whatever was asked for. */
  readonly isFixed: boolean
}

/** Arrays of objects that stand in no other array. */
function listsIn(template: unknown, path: readonly string[] = []): List[] {
  if (!isContainer(template)) return []
  if (Array.isArray(template)) {
    const entries: unknown[] = template
    return entries.length > 0 && entries.every(isContainer) ? [{ path, entries }] : []
  }
  return Object.entries(template).flatMap(([name, child]) => listsIn(child, [...path, name]))
}

/** Whether an entry names a variable that may differ from one entry to the next. */
function varies({ entries }: List, shared: Variables): boolean {
  return templateVariables(entries).some((name) => !Object.hasOwn(shared, name))
}

function withList(value: unknown, [name, ...rest]: readonly string[], list: unknown): unknown {
  if (name === undefined) return list
  const members = value as Readonly<Record<string, unknown>>
  return { ...members, [name]: withList(members[name], rest, list) }
}

/**
 * Renders a template with one entry for each set of variables; a set beyond the entries of the template repeats the last of them.
 * Entries without variables stay as they are. `own` holds templates of single entries that have another form. Undefined where the template has no list, or several that could be meant.
 */
export function renderEntries(
  template: unknown,
  shared: Variables,
  each: readonly Variables[],
  own: readonly unknown[] = [],
): RenderedEntries | undefined {
  const lists = listsIn(template)
  const varying = lists.filter((list) => varies(list, shared))
  const [list, ...others] = varying.length > 0 ? varying : lists
  if (!list || others.length > 0) return undefined
  const body = renderTemplate(template, { ...each[0], ...shared })
  const { entries, path } = list
  if (varying.length === 0) return { body, count: entries.length, isFixed: true }
  const rendered = each.map((variables, index) =>
    renderTemplate(own[index] ?? entries[index] ?? entries.at(-1), { ...variables, ...shared }),
  )
  return { body: withList(body, path, rendered), count: rendered.length, isFixed: false }
}
