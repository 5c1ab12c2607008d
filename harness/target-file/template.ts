/** Body and path templates of a target file. */
import { HarnessError } from '../errors.ts'
import type { Scalar } from './target.ts'

/** Undefined: the property whose text names the variable is left out. */
export type Variables = Readonly<Record<string, Scalar | undefined>>

const PLACEHOLDER = /\{\{\s*([A-Za-z_][A-Za-z0-9_.-]*)\s*\}\}/g
const LONE_PLACEHOLDER = /^\{\{\s*([A-Za-z_][A-Za-z0-9_.-]*)\s*\}\}$/
const PATH_PLACEHOLDER = /\{([A-Za-z_][A-Za-z0-9_.-]*)\}/g

function lookUp(name: string, variables: Variables): Scalar | undefined {
  if (Object.hasOwn(variables, name)) return variables[name]
  const known = Object.keys(variables).toSorted().join(', ')
  throw new HarnessError(
    'E_TARGET_FILE_INVALID',
    `A template names the variable "${name}", which has no value here; known are: ${known || 'none'}.`,
    `Correct the name in the template, or give "${name}" under "variables" of the product in the target file.`,
  )
}

function renderText(text: string, variables: Variables): Scalar | undefined {
  if (!text.includes('{{')) return text
  const alone = LONE_PLACEHOLDER.exec(text)?.[1]
  if (alone !== undefined) return lookUp(alone, variables)
  let dropped = false
  const rendered = text.replaceAll(PLACEHOLDER, (_, name: string) => {
    const value = lookUp(name, variables)
    dropped ||= value === undefined
    return String(value)
  })
  return dropped ? undefined : rendered
}

/**
 * Fills the `{{name}}` placeholders in the texts of a template. A placeholder that stands alone keeps the type of its value; a
 * value of undefined drops the property or array element. Throws E_TARGET_FILE_INVALID on a variable that is not given.
 */
export function renderTemplate(template: unknown, variables: Variables): unknown {
  if (typeof template === 'string') return renderText(template, variables)
  if (Array.isArray(template))
    return template
      .map((entry) => renderTemplate(entry, variables))
      .filter((entry) => entry !== undefined)
  if (typeof template !== 'object' || template === null) return template
  return Object.fromEntries(
    Object.entries(template)
      .map(([name, value]) => [name, renderTemplate(value, variables)] as const)
      .filter(([, value]) => value !== undefined),
  )
}

/**
 * Fills the `{name}` placeholders of a path, each encoded as one segment. Throws E_TARGET_FILE_INVALID on a variable that is not
 * given and on a value that would leave the path (empty, `.` or `..`).
 */
export function renderPath(path: string, variables: Variables): string {
  return path.replaceAll(PATH_PLACEHOLDER, (_, name: string) => {
    const text = String(lookUp(name, variables) ?? '')
    if (text === '' || text === '.' || text === '..')
      throw new HarnessError(
        'E_TARGET_FILE_INVALID',
        `The variable "${name}" is "${text}", which cannot be a segment of the path ${path}.`,
        `Give "${name}" a value that names something.`,
      )
    return encodeURIComponent(text)
  })
}

/** Names of the `{{name}}` placeholders in a template, sorted. */
export function templateVariables(template: unknown): readonly string[] {
  const names = new Set<string>()
  const visit = (value: unknown): void => {
    if (typeof value === 'string')
      for (const match of value.matchAll(PLACEHOLDER)) if (match[1]) names.add(match[1])
    if (typeof value === 'object' && value !== null) Object.values(value).forEach(visit)
  }
  visit(template)
  return [...names].toSorted()
}

/** Names of the `{name}` placeholders in a path, in order. */
export function pathVariables(path: string): readonly string[] {
  return [...path.matchAll(PATH_PLACEHOLDER)].map((match) => match[1] ?? '')
}

/** The text with `{{name}}` where it says `{name}`; undefined where it says so nowhere. */
export function withDoubleBraces(text: string): string | undefined {
  const doubled = text.replaceAll(SINGLE_PLACEHOLDER, '{{$1}}')
  return doubled === text ? undefined : doubled
}

const SINGLE_PLACEHOLDER = /(?<!\{)\{([A-Za-z_][A-Za-z0-9_.-]*)\}(?!\})/g

/** Texts of a template that hold braces which are no placeholder, for example `{{ }}` or `{{a`. */
export function hasBrokenPlaceholder(text: string): boolean {
  const rest = text.replaceAll(PLACEHOLDER, '')
  return rest.includes('{{') || rest.includes('}}')
}
