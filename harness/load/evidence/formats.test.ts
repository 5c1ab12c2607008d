/** Of each line of the table of evidence: what is written comes back, by the reader, in columns, and through the scenario's own writer and importer. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { BurstFile } from '../../../load/protocol/bursts.ts'
import { EVIDENCE } from '../../../load/protocol/evidence-table.ts'
import {
  encoded,
  lineWriter,
  placesIn,
  timePlacesIn,
  type Field,
  type LineFields,
} from '../../../load/protocol/lines.ts'
import { EvidenceWriter } from '../../../load/workload/evidence-writer.ts'
import { ScriptWire } from '../../../load/workload/script-wire.ts'
import { SessionLines } from '../../../load/workload/session-lines.ts'
import { readAsFile } from '../../../test/support/evidence-text.ts'
import { importBursts } from '../bursts/burst-import.ts'
import { importOpenModel } from '../open-model/import.ts'
import { importEvidence } from '../rate-limits/import.ts'
import { Coded, RowColumns } from './row-columns.ts'
import { LineReader } from './line-reader.ts'
import { Fields } from './lines.ts'

/** Moments in milliseconds; no text for none; a list as its texts. */
type Drawn = Readonly<Record<string, unknown>>

/** Characters that the format itself uses, and halves of one, among all others. */
const character = fc.oneof(
  fc.constantFrom('-', ',', '%', ' ', '\n', '\uD800', '\uDC00'),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
)
const text = fc.string({ unit: character, minLength: 1, maxLength: 8 })
const moment = fc.double({ min: 0, max: 1e9, noNaN: true, noDefaultInfinity: true })

function drawn(field: Field): fc.Arbitrary<unknown> {
  switch (field.is) {
    case 'count':
      return fc.integer({ min: 0, max: field.max })
    case 'maybe':
      return fc.option(fc.integer(field), { nil: undefined })
    case 'sent':
    case 'received':
      return moment
    case 'index':
    case 'word':
      return fc.constantFrom(...field.of)
    case 'text':
      return fc.option(text, { nil: undefined })
    case 'list':
      return fc.array(text, { maxLength: 3 })
  }
}

/** One row, answered no sooner than it was sent. */
function rowOf(fields: LineFields): fc.Arbitrary<Drawn> {
  const values = Object.entries(fields).map(([name, field]) => [name, drawn(field)] as const)
  return fc.record(Object.fromEntries(values)).map((row: Drawn) => {
    const { sentMs, receivedMs } = row as Readonly<Record<string, number>>
    if (sentMs === undefined || receivedMs === undefined) return row
    return {
      ...row,
      sentMs: Math.min(sentMs, receivedMs),
      receivedMs: Math.max(sentMs, receivedMs),
    }
  })
}

const textWord = (value: unknown): string => (value === undefined ? '-' : encoded(value as string))

function listWord(values: unknown): string {
  const list = values as readonly string[]
  return list.length === 0 ? '-' : list.map(encoded).join(',')
}

/** As a writer takes it. */
function written({ is }: Field, value: unknown): unknown {
  if (is === 'text') return textWord(value)
  if (is === 'list') return listWord(value)
  return value ?? '-'
}

/** As rows have it: what was sent no later, and received no sooner, to a microsecond. A list is still its word. */
function read({ is }: Field, value: unknown): unknown {
  if (is === 'sent') return Math.floor((value as number) * 1000) / 1000
  if (is === 'received') return Math.ceil((value as number) * 1000) / 1000
  if (is === 'text') return (value as string | undefined)?.toWellFormed()
  if (is !== 'list') return value
  const word = listWord(value)
  return word === '-' ? undefined : word
}

type Of = (field: Field, value: unknown) => unknown

function mapped(fields: LineFields, row: Drawn, of: Of): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, of(field, row[name])]),
  )
}

function readLine(line: string, reader: LineReader<LineFields>): boolean {
  const fields = new Fields()
  const bytes = Buffer.from(line)
  fields.moveTo(bytes, 0, bytes.length)
  return fields.word() === line.split(' ')[0] && reader.read(fields)
}

/** One row of columns as an object. */
function rowAt(columns: Readonly<Record<string, unknown>>, row: number): Record<string, unknown> {
  const at = (column: unknown): unknown =>
    column instanceof Coded ? column.at(row) : (column as readonly unknown[])[row]
  const { length, ...named } = columns
  expect(row).toBeLessThan(length as number)
  return Object.fromEntries(Object.entries(named).map(([name, column]) => [name, at(column)]))
}

const LINES = Object.entries(EVIDENCE).flatMap(([kind, lines]) =>
  Object.entries(lines).map(([word, fields]): [string, LineFields] => [`${kind} ${word}`, fields]),
)

describe.each(LINES)('line %s', (name, fields) => {
  const word = name.split(' ')[1] ?? ''
  const write = lineWriter(word, fields) as (values: Drawn) => string
  const rows = fc.array(rowOf(fields), { minLength: 1, maxLength: 5 })

  test('comes back from its line and from columns', () => {
    fc.assert(
      fc.property(rows, (all) => {
        const reader = new LineReader(fields)
        const [pushed, kept] = [new RowColumns(fields), new RowColumns(fields)]
        const wanted = all.map((row) => mapped(fields, row, read))
        for (const [index, row] of all.entries()) {
          expect(readLine(write(mapped(fields, row, written)), reader)).toBe(true)
          expect(reader.row).toEqual(wanted[index])
          kept.pushValues(reader.values)
          pushed.push(reader.row)
        }
        for (const columns of [kept.columns(), pushed.columns()])
          expect(all.map((_, index) => rowAt(columns, index))).toEqual(wanted)
      }),
    )
  })

  test('has each field in its place, and is refused with one more or one less', () => {
    fc.assert(
      fc.property(rowOf(fields), (row) => {
        const line = write(mapped(fields, row, written))
        const words = line.split(' ')
        const places = Object.entries(placesIn(fields))
        expect(words).toHaveLength(1 + places.length)
        for (const [field, place] of places)
          if (fields[field]?.is === 'count') expect(words[place]).toBe(String(row[field]))
        const reader = new LineReader(fields)
        expect(readLine(`${line} 1`, reader)).toBe(false)
        expect(readLine(words.slice(0, -1).join(' '), reader)).toBe(false)
      }),
    )
  })
})

test('half a character in an answer breaks no line', () => {
  expect(decodeURIComponent(encoded('a\uD800\uD83D\uDE00\uDC00'))).toBe('a\uFFFD\u{1F600}\uFFFD')
})

/** What a row of the table is, read from a file of these lines by the importer of its scenario. */
describe('what a scenario writes is what its importer reads, of', () => {
  test('rate-limit windows', async () => {
    const { x } = EVIDENCE.windows
    await fc.assert(
      fc.asyncProperty(rowOf(x), async (drawnRow) => {
        const row = { ...drawnRow, stream: 0 }
        const lines: string[] = []
        const write = (line: string): void => void lines.push(line)
        const writer = new EvidenceWriter({ stream: 0, testMs: 0, write })
        const { key, phase, sentMs, receivedMs, ...answer } = mapped(x, row, written)
        const released = { phase, sentMs, receivedMs }
        writer.exchange(key as number, released as never, answer as never)
        writer.end('done')
        const reading = { streams: 1, interrupted: false }
        const { streams } = await readAsFile(`${lines.join('\n')}\n`, (file) =>
          importEvidence(file, reading),
        )
        expect(rowAt(streams[0]?.samples ?? {}, 0)).toEqual(mapped(x, row, read))
      }),
    )
  })

  test('bursts', async () => {
    const { o } = EVIDENCE.bursts
    await fc.assert(
      fc.asyncProperty(rowOf(o), async (drawnRow) => {
        const row = { ...drawnRow, script: 0 }
        const wire = new ScriptWire(0, {} as BurstFile, [])
        const { phase, kind, key, units, sentMs, receivedMs, ...words } = mapped(o, row, written)
        const { reference = -1, durationUs } = row as Drawn
        const durationMs = (durationUs as number) / 1000
        const line = wire.lines(
          phase as never,
          [{ kind, key, units, reference, product: 0 } as never],
          [{ ...words, durationMs } as never],
          { sentMs, receivedMs } as never,
        )
        const { scripts } = await readAsFile(`${line}\n${wire.endLine(1, 'done')}\n`, (file) =>
          importBursts(file, { scripts: 1, interrupted: false }),
        )
        const { orderId, state, connection, ...rest } = mapped(o, row, read)
        const ids = (row as Drawn)['orderId'] as readonly string[]
        const { durationUs: _, ...wanted } = rest
        expect({ ...scripts[0]?.exchanges[0] }).toEqual({
          ...wanted,
          orderId: orderId && decodeURIComponent(orderId as string),
          orders: ids.length > 1 ? ids.length : undefined,
          state: state && decodeURIComponent(state as string),
          durationMs: Math.floor(durationMs * 1000) / 1000,
          newConnection: connection === 'n',
        })
      }),
    )
  })

  test('open models', async () => {
    const { a } = EVIDENCE['open-model']
    await fc.assert(
      fc.asyncProperty(rowOf(a), async (drawnRow) => {
        const row = { ...drawnRow, session: 0 } as Drawn
        const lines: string[] = []
        const write = (line: string): void => void lines.push(line)
        const writer = new SessionLines({ unixMs: 1_700_000_000_000, testMs: 0, zeroMs: 0, write })
        const start = { index: 0, key: 0, dueMs: 0 }
        const { operation, attempt, dueMs, durationUs, connection, ...answer } = row
        const known = Object.entries(answer).filter(([, value]) => value !== undefined)
        const durationMs = (durationUs as number) / 1000
        writer.begin(start, 'buyer', 0)
        writer.exchange(
          start,
          { operation, attempt, dueMs } as never,
          { ...Object.fromEntries(known), durationMs } as never,
          connection as never,
        )
        writer.end(start, 'done')
        const reading = { sessions: 1, keys: 1, interrupted: false }
        const { sessions } = await readAsFile(`${lines.join('\n')}\n`, (file) =>
          importOpenModel(file, reading),
        )
        expect(rowAt(sessions.exchanges, 0)).toEqual(mapped(a, row, read))
      }),
    )
  })
})

test('the times of the test clock are those that move with it', () => {
  expect(timePlacesIn(EVIDENCE.windows)).toEqual({ h: [4], x: [4, 5] })
  expect(timePlacesIn(EVIDENCE.bursts)).toEqual({ o: [7, 8] })
  expect(timePlacesIn(EVIDENCE['open-model'])).toEqual({
    h: [3, 4],
    s: [4, 5],
    a: [4, 5, 6],
  })
})
