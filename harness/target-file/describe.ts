/** Prints a target for people: every value with where it came from, keys as the names of their variables. */
import { BUCKETS, DEFAULT_LIMITS, OWN_LIMITS, type WindowLimit } from '../../contract/limits.ts'
import type { OperationName } from '../../contract/operations.ts'
import type { Origin, Target } from './target.ts'

type Row = readonly [name: string, value: string, origin: Origin]

const VALUE_CHARACTERS_MAX = 72

function shorten(text: string): string {
  return text.length <= VALUE_CHARACTERS_MAX ? text : `${text.slice(0, VALUE_CHARACTERS_MAX - 1)}…`
}

function windowText({ count, windowSeconds }: WindowLimit): string {
  return `${count} per ${windowSeconds} s`
}

function operationRows(target: Target, origin: (name: string) => Origin): Row[] {
  return (Object.keys(target.operations) as OperationName[]).flatMap((name): Row[] => {
    const { method, path, query, body, bodies, selectors } = target.operations[name]
    const at = `operations.${name}`
    const row = (member: string, value: string): Row => [
      `${at}.${member}`,
      value,
      origin(`${at}.${member}`),
    ]
    return [
      path === undefined
        ? [at, 'path not known: its checks are untested', 'default']
        : row('path', `${method} ${path}`),
      ...Object.entries(query).map(([key, value]) => row(`query.${key}`, value)),
      ...(body === undefined ? [] : [row('body', JSON.stringify(body))]),
      ...Object.entries(bodies).map(([kind, value]) =>
        row(`bodies.${kind}`, JSON.stringify(value)),
      ),
      ...Object.entries(selectors).map(([key, value]) =>
        row(`selectors.${key}`, value === '' ? 'the whole body' : value),
      ),
    ]
  })
}

function rows(target: Target): Row[] {
  const origin = (name: string): Origin =>
    target.origins[name] ?? (target.kind === 'embedded' ? 'embedded' : 'default')
  const plain = (name: string, value: string): Row => [name, value, origin(name)]
  return [
    plain('name', target.name),
    plain('baseUrl', target.baseUrl),
    plain('environment', target.environment),
    plain('timing', target.timing),
    ...(target.referenceForm === undefined ? [] : [plain('referenceForm', target.referenceForm)]),
    ...(target.replayAfterSeconds === undefined
      ? []
      : [plain('replayAfterSeconds', String(target.replayAfterSeconds))]),
    plain('capabilities', target.capabilities.join(', ')),
    ...[...Object.values(target.credentials), ...(target.moreKeys ?? [])].map(
      ({ role, env, account }) => plain(`credentials.${role}`, `$${env} (account ${account})`),
    ),
    ...Object.entries(target.products).map(([ability, { variables }]) =>
      plain(`products.${ability}`, JSON.stringify(variables)),
    ),
    ...BUCKETS.map((bucket) =>
      plain(`limits.${bucket}`, windowText(target.limits[bucket] ?? DEFAULT_LIMITS[bucket])),
    ),
    ...OWN_LIMITS.flatMap((name) => {
      const stated = target.limits[name]
      return stated ? [plain(`limits.${name}`, windowText(stated))] : []
    }),
    ...operationRows(target, origin),
    ...Object.entries(target.answers).map(([name, value]) =>
      plain(`answers.${name}`, String(value)),
    ),
    ...Object.entries(target.network ?? {}).map(([name, value]) =>
      plain(`network.${name}`, String(value)),
    ),
    ...(target.control === undefined ? [] : [plain('control', target.control.baseUrl)]),
  ]
}

/** A table with one line per value: name, value, origin. Holds no key. */
export function describeOrigins(target: Target): string {
  const lines = rows(target).map(([name, value, from]) => [name, shorten(value), from] as const)
  const widths = [0, 1].map((column) =>
    Math.max(...lines.map((line) => line[column as 0 | 1].length)),
  )
  return lines
    .map(
      ([name, value, from]) =>
        `${name.padEnd(widths[0] ?? 0)}  ${value.padEnd(widths[1] ?? 0)}  ${from}`,
    )
    .join('\n')
}
