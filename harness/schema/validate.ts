/** Holds values against the JSON Schemas in `schemas/`. Every response that the harness receives passes through here. */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import {
  Ajv2020,
  type AnySchemaObject,
  type ErrorObject,
  type ValidateFunction,
} from 'ajv/dist/2020.js'
import ajvFormats from 'ajv-formats'
import { explainErrors, type SchemaViolation } from './explain.ts'

/** Messages of the interface, one schema each. All but `envelope` are held against a part of its `data`. */
export const MESSAGE_NAMES = [
  'envelope',
  'field-error',
  'product-item',
  'item-lookup-response',
  'checkout-response',
  'purchase-response',
  'voucher',
  'esim-activation',
  'esim-payload',
  'platform-gift-snapshot',
  'order-page',
  'gift-quote-response',
] as const
export type MessageName = (typeof MESSAGE_NAMES)[number]

/** Documents of the harness's own. */
export const DOCUMENT_NAMES = ['target', 'run-record', 'known-failures'] as const
export type DocumentName = (typeof DOCUMENT_NAMES)[number]

/** Above this size only the first violation is looked for: listing a million of them would cost more than it tells. */
const NODES_MAX = 20_000

const SCHEMA_DIR = path.join(import.meta.dirname, '..', '..', 'schemas')

let loaded: readonly AnySchemaObject[] | undefined
const compiled = new Map<string, ValidateFunction>()

function loadSchemas(): readonly AnySchemaObject[] {
  loaded ??= readdirSync(SCHEMA_DIR)
    .filter((name) => name.endsWith('.schema.json'))
    .map((name) => JSON.parse(readFileSync(path.join(SCHEMA_DIR, name), 'utf8')) as AnySchemaObject)
  return loaded
}

function createAjv(allErrors: boolean): Ajv2020 {
  const ajv = new Ajv2020({
    allErrors,
    verbose: true,
    allowUnionTypes: true,
    // A property may be required or forbidden by a branch that does not declare it again.
    strictRequired: false,
    strictTypes: false,
    // Tests hold the schemas against the meta-schema. These three take longer than to compile them plainly.
    validateSchema: false,
    code: { optimize: false },
    // Only a copy says which name of a member is wrong; without copies a schema is compiled sooner.
    inlineRefs: allErrors,
  })
  // It restricts nothing: it says what each value means.
  ajv.addKeyword('enumDescriptions')
  ajvFormats.default(ajv)
  for (const schema of loadSchemas()) ajv.addSchema(schema)
  return ajv
}

let first: Ajv2020 | undefined
let all: Ajv2020 | undefined

function validator(name: MessageName | DocumentName, allErrors: boolean): ValidateFunction {
  const key = `${name}:${allErrors}`
  const known = compiled.get(key)
  if (known) return known
  const ajv = allErrors ? (all ??= createAjv(true)) : (first ??= createAjv(false))
  const made = ajv.getSchema(`urn:ordering-harness:${name}`)
  if (!made) throw new Error(`schemas/ holds no schema named ${name}`)
  compiled.set(key, made as ValidateFunction)
  return made as ValidateFunction
}

/** Counts the values inside `value`, without recursion and only up to `nodesMax`. */
function exceedsNodes(value: unknown, nodesMax: number): boolean {
  const open: unknown[] = [value]
  for (let seen = 0; open.length > 0; seen++) {
    if (seen + open.length > nodesMax) return true
    const next = open.pop()
    if (typeof next !== 'object' || next === null) continue
    for (const name in next) {
      open.push((next as Record<string, unknown>)[name])
      if (seen + open.length > nodesMax) return true
    }
  }
  return false
}

function violations(name: MessageName | DocumentName, value: unknown): SchemaViolation[] {
  const validateFirst = validator(name, false)
  if (validateFirst(value)) return []
  if (exceedsNodes(value, NODES_MAX)) return explainErrors(validateFirst.errors ?? [])
  const validateAll = validator(name, true)
  validateAll(value)
  return explainErrors(validateAll.errors ?? [])
}

/**
 * Holds a value against the schema of a message. Empty when it conforms. Never throws on a value that JSON can carry, however
 * large or deep; of values above 20,000 nodes it names the first violation only.
 */
export function validateMessage(name: MessageName, value: unknown): SchemaViolation[] {
  return violations(name, value)
}

/** All of ajv's errors of a target file, for messages that know the line and the fix. */
export function targetFileErrors(value: unknown): readonly ErrorObject[] {
  const validate = validator('target', true)
  return validate(value) ? [] : (validate.errors ?? [])
}

/** The same for a document of the harness's own: a target file, a run record, a list of known failures. */
export function validateDocument(name: DocumentName, value: unknown): SchemaViolation[] {
  return violations(name, value)
}

/** Compiles its schema, which takes a tenth of a second: for whoever has time before the document is there. */
export function prepareDocument(name: DocumentName): void {
  validator(name, false)
}

/** Every word of the closed sets in the schema of a document, such as `sandbox`. */
export function wordsOf(name: DocumentName): string[] {
  const words = new Set<string>()
  const collect = (part: unknown): void => {
    if (part === null || typeof part !== 'object') return
    const { enum: members, const: only } = part as { enum?: unknown; const?: unknown }
    for (const word of [...(Array.isArray(members) ? (members as unknown[]) : []), only])
      if (typeof word === 'string') words.add(word)
    Object.values(part).forEach(collect)
  }
  collect(loadSchemas().find(({ $id }) => $id === `urn:ordering-harness:${name}`))
  return [...words]
}
