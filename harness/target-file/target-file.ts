/** Reads a target file and says everything that is wrong with its form. What it means is judged in rules.ts. */
import type { ErrorObject } from 'ajv/dist/2020.js'
import { expectation, WRAPPER_KEYWORDS } from '../schema/explain.ts'
import { targetFileErrors } from '../schema/validate.ts'
import type { TargetFile } from '../../schemas/generated/target.ts'
import type { PlacedDocument } from './extending.ts'
import { pointerTo } from './json-document.ts'
import { didYouMean, nearest } from '../nearest.ts'
import type { TargetProblem } from './problems.ts'
import { readDocument, Unread } from './read-document.ts'
import { describeSafely, isSecretName, looksLikeSecret, measure, quoteSafely } from './secrets.ts'

/** A file, read: its sections that have the right form, and where everything stands. */
export type LoadedFile = {
  readonly file: Partial<TargetFile>
  /** `staging.json:4:18 (/environment)` */
  readonly place: (pointer: string, what?: 'value' | 'name') => string
  /** Line of each value, by its JSON Pointer. */
  readonly lines: Readonly<Record<string, number>>
  readonly problems: readonly TargetProblem[]
}

const POINTER_CHARACTERS_MAX = 200

type Flaw = Pick<TargetProblem, 'code' | 'message' | 'fix'> & {
  readonly pointer: string
  readonly what: 'value' | 'name'
}

const invalid = 'E_TARGET_FILE_INVALID' as const

function unknownProperty(error: ErrorObject): Flaw | undefined {
  const name = String((error.params as { additionalProperty?: unknown }).additionalProperty)
  const pointer = pointerTo(error.instancePath, name)
  // Said by the search for secrets, with its own code.
  if (isSecretProperty(pointer, name, (error.data as Record<string, unknown>)[name]))
    return undefined
  const known = Object.keys((error.parentSchema as { properties?: object }).properties ?? {})
  return {
    code: invalid,
    pointer,
    what: 'name',
    message: `there is no property ${quoteSafely(name)} here; known are ${known.join(', ')}.`,
    fix: didYouMean(name, known, 'Remove it.'),
  }
}

function unknownMember(error: ErrorObject, name: string): Flaw {
  const allowed = (error.params as { allowedValues: string[] }).allowedValues
  return {
    code: invalid,
    pointer: pointerTo(error.instancePath, name),
    what: 'name',
    message: `got the name ${quoteSafely(name)}; expected one of ${allowed.join(', ')}.`,
    fix: didYouMean(name, allowed, 'Choose one of these, or remove it.'),
  }
}

function wrongValue(error: ErrorObject): Flaw {
  const allowed = (error.params as { allowedValues?: unknown }).allowedValues
  const names = Array.isArray(allowed) ? allowed.map(String) : []
  const meant = typeof error.data === 'string' ? nearest(error.data, names) : undefined
  const expected = expectation(error)
  const data: unknown = error.data
  // What stands among the credentials in the place of something else may well be a key.
  const hidden = error.instancePath.startsWith('/credentials') && typeof data === 'string'
  const got = hidden ? measure(data) : describeSafely(data)
  return {
    code: invalid,
    pointer: error.instancePath,
    what: 'value',
    message: `got ${got}; expected ${expected}.`,
    fix: meant === undefined ? corrected(error) : `Did you mean "${meant}"?`,
  }
}

/** An amount of money is a text, so that no digit of it is lost. */
function corrected({ data, parentSchema }: ErrorObject): string {
  const isMoney = parentSchema?.['description'] === 'A decimal amount, as text.'
  return typeof data === 'number' && isMoney ? `Write "${data}", in quotes.` : 'Correct the value.'
}

const ENV_POINTER = /^\/credentials\/[^/]+(?:\/\d+)?\/env$/

function wrongEnv(error: ErrorObject): Flaw {
  const length = typeof error.data === 'string' ? error.data.length : 0
  return {
    code: 'E_TARGET_SECRET',
    pointer: error.instancePath,
    what: 'value',
    message: `the text of ${length} characters here (not shown) is not the name of an environment variable. If it is the key itself, it stands in the clear.`,
    fix: 'Put the key into an environment variable and its name here; if the file was shared, rotate the key.',
  }
}

/**
 * Errors that other rules report, which know more: wrappers by the errors of their branches, URLs by base-url.ts, a missing base
 * URL by resolve.ts, since a flag may give it.
 */
function isJudgedElsewhere({ keyword, instancePath, params, data }: ErrorObject): boolean {
  if (WRAPPER_KEYWORDS.has(keyword)) return true
  // A role has one key or a list: only the branch that is meant is reported.
  if (keyword === 'type' && /^\/credentials\/[^/]+$/.test(instancePath))
    return ((params as { type?: unknown }).type === 'array') !== Array.isArray(data)
  if (keyword === 'pattern')
    return instancePath === '/baseUrl' || instancePath === '/control/baseUrl'
  return (
    keyword === 'required' &&
    instancePath === '' &&
    (params as { missingProperty?: unknown }).missingProperty === 'baseUrl'
  )
}

function toFlaw(error: ErrorObject): Flaw | undefined {
  if (error.keyword === 'additionalProperties') return unknownProperty(error)
  if (error.propertyName !== undefined) return unknownMember(error, error.propertyName)
  if (error.keyword === 'required') {
    const name = String((error.params as { missingProperty?: unknown }).missingProperty)
    const pointer = pointerTo(error.instancePath, name)
    return {
      code: invalid,
      pointer,
      what: 'value',
      message: `the property "${name}" is missing.`,
      fix: `Add "${name}".`,
    }
  }
  if (error.keyword === 'pattern' && ENV_POINTER.test(error.instancePath)) return wrongEnv(error)
  return wrongValue(error)
}

function isSecretProperty(pointer: string, name: string, value: unknown): boolean {
  if (typeof value !== 'string' || value === '' || /\{\{.*\}\}/.test(value)) return false
  return isSecretName(name, pointer.startsWith('/credentials'))
}

/** Literal texts under names such as `apiKey`, anywhere in the file. */
function clearSecrets(value: unknown, pointer = ''): Flaw[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, child]) => {
    const place = pointerTo(pointer, name)
    if (!isSecretProperty(place, name, child)) return clearSecrets(child, place)
    return [
      {
        code: 'E_TARGET_SECRET' as const,
        pointer: place,
        what: 'name' as const,
        message: `the property ${quoteSafely(name)} holds a text (not shown) where no secret may stand.`,
        fix: 'Remove it and name an environment variable: { "env": "STAGING_KEY" }. If the file was shared, rotate the key.',
      },
    ]
  })
}

/** Depth in the file at which sections can be left out one by one. */
const MAPS = new Set(['credentials', 'products', 'limits', 'operations'])

/** The file without the members that have the wrong form, so that what is left can be judged in the same run. */
function soundPart(value: object, errors: readonly ErrorObject[]): Partial<TargetFile> {
  const sound = structuredClone(value) as Record<string, unknown>
  for (const error of errors) {
    const name =
      error.propertyName ?? (error.params as { additionalProperty?: string }).additionalProperty
    const place = name === undefined ? error.instancePath : pointerTo(error.instancePath, name)
    const [section = '', member] = place.split('/').slice(1)
    const map = sound[section]
    if (member !== undefined && MAPS.has(section) && typeof map === 'object' && map !== null)
      delete (map as Record<string, unknown>)[member.replaceAll('~1', '/').replaceAll('~0', '~')]
    else delete sound[section]
  }
  return sound
}

/** A pointer whose names can be shown: a key may have been written in the place of a name. */
function printablePointer(pointer: string): string {
  const tokens = pointer.split('/').map((token) => (looksLikeSecret(token) ? '(not shown)' : token))
  return tokens.join('/').slice(0, POINTER_CHARACTERS_MAX)
}

function judgeForm(document: PlacedDocument): LoadedFile {
  const place: LoadedFile['place'] = (pointer, what) =>
    `${document.place(pointer, what)}${pointer === '' ? '' : ` (${printablePointer(pointer)})`}`
  const errors = targetFileErrors(document.value).filter((error) => !isJudgedElsewhere(error))
  const flaws = [...clearSecrets(document.value), ...errors.flatMap((error) => toFlaw(error) ?? [])]
  const problems = [
    ...document.flaws.map(({ place, message, fix }) => ({
      code: invalid,
      place,
      message: `${message}.`,
      fix,
    })),
    ...flaws.map(({ code, pointer, what, message, fix }) => ({
      code,
      place: place(pointer, what),
      message,
      fix,
    })),
  ]
  const isObject = typeof document.value === 'object' && document.value !== null
  const file = isObject && !Array.isArray(document.value) ? soundPart(document.value, errors) : {}
  return { file, place, lines: document.lines, problems }
}

/**
 * Reads the target file at `name`, taken from `cwd`, with those that it extends. Never throws: a file that cannot be read gives one
 * problem (E_TARGET_FILE_UNREADABLE), one of the wrong form a problem for each place.
 */
export function loadTargetFile(name: string, cwd: string): LoadedFile {
  try {
    return judgeForm(readDocument(name, cwd))
  } catch (error) {
    if (!(error instanceof Unread)) throw error
    return { file: {}, place: () => name, lines: {}, problems: [error.problem] }
  }
}
