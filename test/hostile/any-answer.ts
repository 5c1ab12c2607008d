/** Answers of which any member, header or status may be any JSON or any text: what no interface allows and every server can send. */
import type { Transport, WireRequest, WireResponse } from '../../harness/client/exchange.ts'

const VALUES: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -1,
  1.5,
  1e308,
  Number.MAX_SAFE_INTEGER + 2,
  '',
  'text',
  '0',
  '-0.01',
  '1e999',
  'NaN',
  '2026-13-45T99:99:99Z',
  '__proto__',
  'x'.repeat(5_000),
  [],
  [null],
  [1, 'x', {}, []],
  [[[[]]]],
  {},
  { a: null },
  JSON.parse('{"__proto__":{"polluted":true},"constructor":1,"toString":null}'),
]

const STATUSES = [
  200, 201, 202, 204, 299, 302, 400, 401, 403, 404, 409, 415, 422, 429, 500, 504, 599,
]
const HEADER_VALUES = ['', 'x', '-1', '0', '1', '1e9', '99999999999999999999', '1, 2', '\u00ff']
const HEADERS = ['retry-after', 'content-type', 'date']

/** Where an answer is changed: `always` keeps to what was drawn for a place, so that all answers agree. */
export type Confusion = {
  readonly seed: number
  /** How many of a thousand places are changed. */
  readonly perMille: number
  readonly always: boolean
}

/** Changes what a server answers. */
export function confused(transport: Transport, confusion: Confusion): Transport {
  const draw = drawer(confusion)
  return {
    close: () => transport.close(),
    send: async (request, hooks, signal) =>
      changed(request, await transport.send(request, hooks, signal), draw),
  }
}

/** Gives one of several for a place; undefined where it stays as it is. */
type Draw = <T>(place: string, choices: readonly T[]) => { readonly value: T } | undefined

function drawer({ seed, perMille, always }: Confusion): Draw {
  let count = 0
  return (place, choices) => {
    count += 1
    const drawn = hash(`${seed} ${always ? place : count}`)
    if (drawn % 1_000 >= perMille) return undefined
    return { value: choices[(drawn >>> 10) % choices.length] as (typeof choices)[number] }
  }
}

/** FNV-1a, finished by a mix: near texts must not draw alike. */
function hash(text: string): number {
  let value = 0x811c9dc5
  for (let index = 0; index < text.length; index++)
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193)
  value = Math.imul(value ^ (value >>> 15), 0x2c1b3c6d)
  value = Math.imul(value ^ (value >>> 12), 0x297a2d39)
  return (value ^ (value >>> 15)) >>> 0
}

function changed({ method, url }: WireRequest, response: WireResponse, draw: Draw): WireResponse {
  const place = `${method} ${new URL(url).pathname}`
  const status = draw(`${place} status`, STATUSES)?.value ?? response.status
  const headers = response.headers.map(([name, value]) => {
    const isOpen = HEADERS.includes(name.toLowerCase())
    return [name, (isOpen && draw(`${place} ${name}`, HEADER_VALUES)?.value) || value] as const
  })
  return { ...response, status, headers, body: bodyOf(place, response.body, draw) }
}

function bodyOf(place: string, body: string, draw: Draw): string {
  let json: unknown
  try {
    json = JSON.parse(body)
  } catch {
    return body
  }
  return JSON.stringify(replaced(place, json, draw)) ?? ''
}

/** Any member may be any value, or left out. */
function replaced(place: string, value: unknown, draw: Draw): unknown {
  const drawn = draw(place, [...VALUES, undefined])
  if (drawn) return drawn.value
  if (Array.isArray(value)) return value.map((each) => replaced(`${place}[]`, each, draw))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, replaced(`${place}.${name}`, each, draw)]),
  )
}
