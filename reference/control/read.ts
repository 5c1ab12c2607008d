/** Reading of control calls. Everything wrong is a RangeError that names the property. */
import { LIMIT_NAMES } from '../../contract/limits.ts'
import { SCOPES } from '../../contract/wire.ts'
import { type AccountSpec, KEY_STATUSES, type KeySpec } from '../model/accounts.ts'
import { type JsonObject, isJsonObject } from '../http/body.ts'
import type { LimitRules } from '../base/types.ts'
import type { KeyChange } from './control.ts'

function wrong(field: string, expected: string): RangeError {
  return new RangeError(`The property ${field} is not usable; expected ${expected}.`)
}

/** What every object inherits is no property of a call. */
function own(object: JsonObject, field: string): unknown {
  return Object.hasOwn(object, field) ? object[field] : undefined
}

export function readText(object: JsonObject, field: string): string {
  const value = own(object, field)
  if (typeof value !== 'string') throw wrong(field, 'a text')
  return value
}

function readOptionalText(object: JsonObject, field: string): string | undefined {
  return own(object, field) === undefined ? undefined : readText(object, field)
}

export function readNumber(object: JsonObject, field: string): number {
  const value = own(object, field)
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0)
    throw wrong(field, 'an integer from 0')
  return value
}

export function readNames(object: JsonObject, field: string): string[] {
  const value = own(object, field)
  if (!Array.isArray(value) || !value.every((entry) => typeof entry === 'string'))
    throw wrong(field, 'an array of texts')
  return value
}

function readOneOf<T extends string>(object: JsonObject, field: string, allowed: readonly T[]): T {
  const text = readText(object, field)
  const value = allowed.find((candidate) => candidate === text)
  if (value === undefined) throw wrong(field, `one of ${allowed.join(', ')}`)
  return value
}

export function readAccountSpec(body: JsonObject): AccountSpec {
  const keys = own(body, 'keys')
  const limits = own(body, 'limits')
  if (!isJsonObject(keys)) throw wrong('keys', 'an object of keys by role')
  if (limits !== undefined && !isJsonObject(limits)) throw wrong('limits', 'an object of rules')
  const account = readOptionalText(body, 'account')
  const funds = readOptionalText(body, 'funds')
  const specs = Object.entries(keys).map(([role, spec]) => [role, readKeySpec(role, spec)] as const)
  return {
    keys: Object.fromEntries(specs),
    ...(account !== undefined && { account }),
    ...(funds !== undefined && { funds }),
    ...(limits !== undefined && { limits: readRules(limits) }),
  }
}

const CONFIGURABLE: ReadonlySet<string> = new Set(
  LIMIT_NAMES.filter((name) => name !== 'orders.unhide.admission'),
)

/** Numbers are held to their bounds where the limits are worked out. */
function readRules(limits: JsonObject): LimitRules {
  const unknown = Object.keys(limits).find((bucket) => !CONFIGURABLE.has(bucket))
  if (unknown !== undefined) throw wrong(`limits.${unknown}`, [...CONFIGURABLE].join(', '))
  for (const [bucket, rule] of Object.entries(limits))
    if (rule !== null && !isJsonObject(rule)) throw wrong(`limits.${bucket}`, 'a rule or null')
  return limits
}

function readKeySpec(role: string, spec: unknown): KeySpec {
  if (!isJsonObject(spec)) throw wrong(`keys.${role}`, 'an object')
  const scopes = readNames(spec, 'scopes').map((scope) => readOneOf({ scope }, 'scope', SCOPES))
  const transactionLimit = readOptionalText(spec, 'transactionLimit')
  const transactionUsed = readOptionalText(spec, 'transactionUsed')
  return {
    scopes,
    ...(own(spec, 'allowlist') !== undefined && { allowlist: readNames(spec, 'allowlist') }),
    ...(own(spec, 'status') !== undefined && { status: readOneOf(spec, 'status', KEY_STATUSES) }),
    ...(transactionLimit !== undefined && { transactionLimit }),
    ...(transactionUsed !== undefined && { transactionUsed }),
  }
}

export function readKeyChange(body: JsonObject): KeyChange {
  const transactionLimit = own(body, 'transactionLimit')
  const transactionUsed = readOptionalText(body, 'transactionUsed')
  return {
    ...(own(body, 'status') !== undefined && { status: readOneOf(body, 'status', KEY_STATUSES) }),
    ...(transactionUsed !== undefined && { transactionUsed }),
    ...(transactionLimit !== undefined && {
      transactionLimit: transactionLimit === null ? null : readText(body, 'transactionLimit'),
    }),
  }
}
