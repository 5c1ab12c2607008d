/** The page that names every member of a target file: made of the schema and of the facts, so that it cannot fall behind. */
import { ABILITY_MEANINGS, CAPABILITY_MEANINGS, ROLES } from '../../contract/capabilities.ts'
import { BUCKETS, BUCKET_TITLES, DEFAULT_LIMITS } from '../../contract/limits.ts'
import { OPERATIONS, type Operation } from '../../contract/operations.ts'
import { SELECTORS } from './selectors.ts'

type Schema = {
  readonly description?: string
  readonly enum?: readonly unknown[]
  /** What each value means, in the order of `enum`. Editors show it, too. */
  readonly enumDescriptions?: readonly string[]
  readonly minimum?: number
  readonly maximum?: number
  readonly properties?: Readonly<Record<string, Schema>>
  readonly $defs?: Readonly<Record<string, Schema>>
}

/** The text of targets/REFERENCE.md. */
export function referencePage(schema: Schema): string {
  const { $defs = {} } = schema
  const sections = [
    section('Top of the file', members(schema)),
    section('capabilities', rows(CAPABILITY_MEANINGS)),
    section('credentials: roles', rows(ROLES)),
    section('credentials: members of each', members($defs['Credential'])),
    section('products: abilities', rows(ABILITY_MEANINGS)),
    section('products: members of each', members($defs['Product'])),
    section('limits: buckets', BUCKETS.map(bucketRow)),
    section('operations', Object.entries(OPERATIONS).map(operationRow)),
    section('operations: members of each', members($defs['Operation'])),
    section('operations: selectors', selectorRows()),
    section('answers', members($defs['Answers'])),
  ]
  return `# Every member of a target file

Made by \`npm run generate\` from \`schemas/target.schema.json\` and the facts in \`contract/\`. How to write a file: [README.md](README.md).

${sections.join('\n')}`
}

/** Where a member takes certain values only, or has members of its own, each stands with its meaning. */
type Row = readonly [name: string, meaning: string, values?: readonly Row[]]

function section(title: string, all: readonly Row[]): string {
  const lines = all.flatMap(([name, meaning, values = []]) => [
    `- \`${name}\`: ${meaning}`,
    ...values.map(([value, told]) => `  - \`${value}\`: ${told}`),
  ])
  return `## ${title}\n\n${lines.join('\n')}\n`
}

function rows(meanings: Readonly<Record<string, string>>): Row[] {
  return Object.entries(meanings)
}

function members(schema: Schema | undefined): Row[] {
  return Object.entries(schema?.properties ?? {})
    .filter(([name]) => name !== '$schema')
    .map(([name, member]) => {
      const { description } = member
      if (description === undefined) throw new Error(`the schema does not say what ${name} means`)
      return [name, description + rangeText(member), [...valueRows(name, member), ...inner(member)]]
    })
}

function rangeText({ minimum, maximum }: Schema): string {
  return minimum === undefined || maximum === undefined
    ? ''
    : ` A number from ${minimum} to ${maximum}.`
}

/** Members of a member, where the schema says what they mean. */
function inner({ properties = {} }: Schema): Row[] {
  return Object.entries(properties).flatMap(([name, { description }]): Row[] =>
    description === undefined ? [] : [[name, description]],
  )
}

function valueRows(name: string, { enum: values = [], enumDescriptions = [] }: Schema): Row[] {
  return values.map((value, index) => {
    const meaning = enumDescriptions[index]
    if (meaning === undefined)
      throw new Error(`the schema does not say what ${name} "${String(value)}" means`)
    return [String(value), meaning]
  })
}

function bucketRow(bucket: (typeof BUCKETS)[number]): Row {
  const { count, windowSeconds } = DEFAULT_LIMITS[bucket]
  return [bucket, `${BUCKET_TITLES[bucket]}; ${count} in ${windowSeconds} s by default`]
}

function operationRow([name, { method, path, scope }]: [string, Operation]): Row {
  const needs = scope === undefined ? '' : `, with ${scope}`
  return [name, `${method} ${path ?? '(path not shown by the interface)'}${needs}`]
}

/** Those of the limits are listed once. */
function selectorRows(): Row[] {
  const rest = Object.entries(SELECTORS).filter(([operation]) => operation !== 'rateLimits')
  const told = rest.flatMap(([operation, facts]) =>
    Object.entries(facts).map(([name, { meaning, byDefault }]): Row => {
      const place = byDefault === undefined ? '' : ` (default \`${byDefault}\`)`
      return [`${operation}.${name}`, `${meaning}${place}`]
    }),
  )
  return [
    ...told,
    ['rateLimits.LIMIT.count', 'requests of one window; LIMIT is a bucket, or operations.NAME'],
    [
      'rateLimits.LIMIT.windowSeconds',
      'seconds of one window, or a duration such as 60s, 1m0s or PT1M',
    ],
    ['rateLimits.LIMIT.source', 'whether it is configured: rule or default'],
  ]
}
