/** Evidence of several instances of one run, set side by side. Pure: the files are read in collect.ts. */
import { INSTANCE_FIELDS, INSTANCE_VERSION } from '../../../load/protocol/instances.ts'
import type { EvidenceForm } from '../evidence/form.ts'
import { evidenceError } from '../evidence/lines.ts'

/** What the first line of an instance's evidence says. Times are unix microseconds. */
export type InstanceHeader = {
  readonly run: string
  /** k6's execution segment, such as `1/3:2/3`; `-` for the whole plan. */
  readonly segment: string
  readonly startedUs: number
  /** Time 0 of its test clock. */
  readonly zeroUs: number
}

/** What the record keeps of one instance. */
export type InstanceFigures = {
  readonly segment: string
  /** How long after the first of them. */
  readonly startedAfterMs: number
  readonly exchanges: number
}

/** The whole plan, as an instance says it that has no segment. */
export const WHOLE = '-'

/** Reads a header; throws E_K6_FAILED with what stands there instead. `name`: whose evidence it is, for the message. */
export function parseHeader(line: string, name: string): InstanceHeader {
  const [word, version, run = '', segment = '', unix, test] = line.split(' ')
  const [startedUs, testUs] = [unix, test].map(countOf)
  const isSound = word === 'i' && line.split(' ').length === INSTANCE_FIELDS && run !== ''
  if (!isSound || startedUs === undefined || testUs === undefined)
    throw evidenceError(
      `The evidence ${name} does not begin with the header of an instance, but with ${JSON.stringify(line.slice(0, 80))}.`,
    )
  if (version !== String(INSTANCE_VERSION))
    throw evidenceError(
      `The evidence ${name} has version ${version}, expected ${INSTANCE_VERSION}: it was written by another version of the harness.`,
    )
  return { run, segment, startedUs, zeroUs: startedUs - testUs }
}

function countOf(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,16}$/.test(text) ? Number(text) : undefined
}

/** What lies behind the first instance's time 0, microseconds: added to an instance's times, it puts them all on one clock. */
export function shiftsOf(headers: readonly InstanceHeader[]): number[] {
  const firstUs = Math.min(...headers.map(({ zeroUs }) => zeroUs))
  return headers.map(({ zeroUs }) => zeroUs - firstUs)
}

/** How far their starts lie apart. */
export function startSpreadMs(headers: readonly InstanceHeader[]): number {
  const starts = headers.map(({ startedUs }) => startedUs)
  return headers.length === 0 ? 0 : (Math.max(...starts) - Math.min(...starts)) / 1000
}

/** One line of evidence with its times moved; lines without times stay as they are. */
export function shiftLine(line: string, times: EvidenceForm['times'], shiftUs: number): string {
  const places = times[line.slice(0, Math.max(0, line.indexOf(' ')))]
  if (places === undefined || shiftUs === 0) return line
  const fields = line.split(' ')
  for (const place of places) {
    const us = countOf(fields[place])
    // What is malformed is left for the importer, which says so.
    if (us !== undefined) fields[place] = String(us + shiftUs)
  }
  return fields.join(' ')
}

type Fraction = { readonly over: number; readonly under: number }

/**
 * Which part of the plan nobody carried out, in k6's words; undefined where all of it was. Throws E_K6_FAILED where two instances carried
 * out the same part: it was bought and counted twice.
 */
export function missingSegment(segments: readonly string[]): string | undefined {
  const parts = segments
    .map((segment) => ({ segment, ...bordersOf(segment) }))
    .toSorted((a, b) => compare(a.from, b.from))
  let reached: Fraction = { over: 0, under: 1 }
  for (const { segment, from, to } of parts) {
    if (compare(from, reached) < 0)
      throw evidenceError(
        `Two instances carried out the segment ${segment} of one plan, or parts of it.`,
      )
    if (compare(from, reached) > 0) return `${textOf(reached)}:${textOf(from)}`
    reached = to
  }
  return compare(reached, { over: 1, under: 1 }) < 0 ? `${textOf(reached)}:1` : undefined
}

function bordersOf(segment: string): { from: Fraction; to: Fraction } {
  const [from, to, ...rest] = (segment === WHOLE ? '0:1' : segment).split(':').map(fractionOf)
  if (!from || !to || rest.length > 0 || compare(from, to) >= 0)
    throw evidenceError(`An instance names the execution segment ${JSON.stringify(segment)}.`)
  return { from, to }
}

function fractionOf(text: string): Fraction | undefined {
  const match = /^(\d{1,6})(?:\/(\d{1,6}))?$/.exec(text)
  const under = Number(match?.[2] ?? 1)
  return match && under > 0 ? { over: Number(match[1]), under } : undefined
}

function compare(a: Fraction, b: Fraction): number {
  return a.over * b.under - b.over * a.under
}

function textOf({ over, under }: Fraction): string {
  return over % under === 0 ? String(over / under) : `${over}/${under}`
}
