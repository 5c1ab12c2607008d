/** Makes TypeScript out of `schemas/*.schema.json`: one file per schema, which imports the types of the schemas that it refers to. */
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { compile } from 'json-schema-to-typescript'
import { isObject } from '../objects.ts'

type Json = { [name: string]: unknown }

const URN = /^urn:ordering-harness:([a-z-]+)$/
const LOCAL_DEFINITION = /^#\/\$defs\/([A-Za-z]+)$/
const COLUMNS_MAX = 100

/** Keywords that restrict which values pass without changing the type that we want to see. */
const DROPPED = new Set(['$schema', '$id', 'if', 'then', 'else', 'not', 'allOf', 'propertyNames'])

/** Keywords that say nothing about a type: a schema of these alone takes any value. */
const ANNOTATIONS = new Set(['title', 'description', 'default', 'examples'])

type Imports = Map<string, string>

function reference(schema: Json, titles: ReadonlyMap<string, string>, imports: Imports): Json {
  const ref = String(schema['$ref'])
  const description =
    schema['description'] === undefined ? {} : { description: schema['description'] }
  const local = LOCAL_DEFINITION.exec(ref)?.[1]
  if (local !== undefined) return { ...description, tsType: local }
  const file = URN.exec(ref)?.[1]
  const title = file === undefined ? undefined : titles.get(file)
  if (file === undefined || title === undefined)
    throw new Error(`no schema in schemas/ answers to ${ref}`)
  imports.set(file, title)
  return { ...description, tsType: title }
}

/** The member names of an object whose names are a closed set, as optional properties. */
function namedMembers(schema: Json): Json {
  const names = isObject(schema['propertyNames']) ? schema['propertyNames']['enum'] : undefined
  if (!Array.isArray(names)) return {}
  const value = isObject(schema['additionalProperties']) ? schema['additionalProperties'] : {}
  return {
    properties: Object.fromEntries(names.map((name) => [String(name), value])),
    additionalProperties: false,
  }
}

/** What json-schema-to-typescript, which reads draft 4, makes a tuple of. */
function tuple(schema: Json): Json {
  const items = schema['prefixItems']
  if (!Array.isArray(items)) return {}
  return { items, additionalItems: false, minItems: items.length, maxItems: items.length }
}

/** Rewrites 2020-12 into what json-schema-to-typescript understands. */
function rewrite(schema: unknown, titles: ReadonlyMap<string, string>, imports: Imports): unknown {
  if (Array.isArray(schema)) return schema.map((entry) => rewrite(entry, titles, imports))
  if (!isObject(schema)) return schema
  if ('$ref' in schema) return reference(schema, titles, imports)
  if (Object.keys(schema).every((name) => ANNOTATIONS.has(name)))
    return { ...schema, tsType: 'unknown' }
  const plain: Json = { ...schema, ...namedMembers(schema), ...tuple(schema) }
  delete plain['prefixItems']
  return Object.fromEntries(
    Object.entries(plain)
      .filter(([name]) => !DROPPED.has(name))
      .map(([name, value]) => [name, rewriteKeyword(name, value, titles, imports)]),
  )
}

function rewriteKeyword(
  name: string,
  value: unknown,
  titles: ReadonlyMap<string, string>,
  imports: Imports,
): unknown {
  if ((name === 'properties' || name === '$defs') && isObject(value))
    return Object.fromEntries(
      Object.entries(value)
        .filter(([, schema]) => !(name === '$defs' && isObject(schema) && 'not' in schema))
        .map(([member, schema]) => [member, rewrite(schema, titles, imports)]),
    )
  if (['items', 'anyOf', 'additionalProperties'].includes(name))
    return rewrite(value, titles, imports)
  return value
}

/** Drops the remarks of the generator and puts comments that fit on one line. */
function tidy(text: string): string {
  return text
    .replaceAll(
      /\n \*\n \* This interface was referenced by [^\n]*\n \* via the `definition` [^\n]*/g,
      '',
    )
    .replaceAll(
      /\/\*\*\n \* This interface was referenced by [^\n]*\n \* via the `definition` [^\n]*\n \*\/\n/g,
      '',
    )
    .replaceAll(/^( *)\/\*\*\n *\* ([^\n]*)\n *\*\/$/gm, (block, indent: string, line: string) => {
      const oneLine = `${indent}/** ${line} */`
      return oneLine.length <= COLUMNS_MAX ? oneLine : block
    })
}

function importLines(imports: Imports): string {
  return [...imports]
    .toSorted(([a], [b]) => a.localeCompare(b))
    .map(([file, title]) => `import type { ${title} } from './${file}.ts'\n`)
    .join('')
}

/**
 * The text of every generated file, by file name. Objects are described without index signatures: that unknown members pass
 * is said by the schema, and a mistyped member name should not compile.
 */
export async function typesFromSchemas(schemaDir: string): Promise<ReadonlyMap<string, string>> {
  const files = (await readdir(schemaDir))
    .filter((name) => name.endsWith('.schema.json'))
    .toSorted()
  const schemas = new Map<string, Json>()
  for (const file of files)
    schemas.set(
      file.replace('.schema.json', ''),
      JSON.parse(await readFile(path.join(schemaDir, file), 'utf8')) as Json,
    )
  const titles = new Map([...schemas].map(([name, schema]) => [name, String(schema['title'])]))
  const texts = new Map<string, string>()
  for (const [name, schema] of schemas) {
    const imports: Imports = new Map()
    const body = await compile(rewrite(schema, titles, imports) as Json, String(schema['title']), {
      additionalProperties: false,
      bannerComment: '',
      unreachableDefinitions: true,
      maxItems: 8,
      style: { semi: false, singleQuote: true, printWidth: COLUMNS_MAX },
    })
    const banner = `/** Generated from schemas/${name}.schema.json by \`npm run generate\`. Do not edit. */\n`
    const head = [banner, importLines(imports)].filter((part) => part !== '').join('')
    texts.set(`${name}.ts`, `${head}\n${tidy(body).trimStart()}`)
  }
  return texts
}
