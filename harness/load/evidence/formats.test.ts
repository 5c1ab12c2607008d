/** Of each format of evidence: what is written comes back, and each field stands where the table says. */
import { readAsFile } from '../../../test/support/evidence-text.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { BurstFile } from '../../../load/protocol/bursts.ts'
import { BURST_PHASES, REQUEST_KINDS } from '../../../load/protocol/bursts.ts'
import { PHASES } from '../../../load/protocol/evidence.ts'
import { EVIDENCE } from '../../../load/protocol/evidence-table.ts'
import { encoded, placesIn, timePlacesIn, type LineFields } from '../../../load/protocol/lines.ts'
import { SESSION_OPERATIONS } from '../../../load/protocol/open-model.ts'
import { EvidenceWriter } from '../../../load/workload/evidence-writer.ts'
import { ScriptWire } from '../../../load/workload/script-wire.ts'
import { SessionLines } from '../../../load/workload/session-lines.ts'
import { importBursts } from '../bursts/burst-import.ts'
import { importOpenModel } from '../open-model/import.ts'
import { importEvidence } from '../rate-limits/import.ts'
import { sampleAt } from '../rate-limits/samples.ts'

const text = fc
  .string({ minLength: 1, maxLength: 12, unit: 'grapheme' })
  .filter((each) => each.isWellFormed())
const maybeText = fc.option(text, { nil: undefined })
const us = fc.nat({ max: 1_000_000_000 })
const times = fc
  .tuple(us, us)
  .map(([a, b]) => ({ sentUs: Math.min(a, b), receivedUs: Math.max(a, b) }))
const status = fc.constantFrom(0, 200, 202, 409, 429, 500)
const code = fc.option(fc.nat({ max: 9999 }), { nil: undefined })
const connection = fc.constantFrom('n' as const, 'r' as const)

/** What a line holds, by the names of its table. */
function named(line: string, fields: LineFields): Record<string, string> {
  const words = line.split(' ')
  const places = placesIn(fields)
  expect(words).toHaveLength(1 + Object.keys(places).length)
  return Object.fromEntries(Object.entries(places).map(([name, at]) => [name, words[at] ?? '']))
}

const fieldOf = (value: string | undefined): string => (value === undefined ? '-' : encoded(value))

test('half a character in an answer breaks no line', () => {
  expect(decodeURIComponent(encoded('a\uD800\uD83D\uDE00\uDC00'))).toBe('a\uFFFD\u{1F600}\uFFFD')
})

test('rate-limit windows', async () => {
  const row = fc.record({
    times,
    status,
    code,
    retryAfter: maybeText,
    connection,
    key: fc.nat({ max: 9 }),
    phase: fc.constantFrom(...PHASES),
  })
  await fc.assert(
    fc.asyncProperty(row, async ({ times: { sentUs, receivedUs }, retryAfter, ...each }) => {
      const lines: string[] = []
      const writer = new EvidenceWriter({
        stream: 0,
        testMs: 0,
        write: (line) => void lines.push(line),
      })
      const answer = {
        status: each.status,
        code: String(each.code ?? '-'),
        retryAfter: fieldOf(retryAfter),
        connection: each.connection,
      }
      const released = { phase: each.phase, sentMs: sentUs / 1000, receivedMs: receivedUs / 1000 }
      writer.exchange(each.key, released, answer)
      writer.end('done')
      const line = lines.find((one) => one.startsWith('x')) ?? ''
      expect(named(line, EVIDENCE.windows.x)).toMatchObject({
        key: String(each.key),
        status: String(each.status),
        retryAfter: answer.retryAfter,
      })
      const reading = { streams: 1, interrupted: false }
      const {
        streams: [stream],
      } = await readAsFile(`${lines.join('\n')}\n`, (file) => importEvidence(file, reading))
      expect(stream && sampleAt(stream.samples, 0)).toEqual({
        key: each.key,
        phase: each.phase,
        sentMs: Math.floor((sentUs / 1000) * 1000) / 1000,
        receivedMs: Math.ceil((receivedUs / 1000) * 1000) / 1000,
        status: each.status,
        ...(each.code !== undefined && { code: each.code }),
        ...(retryAfter !== undefined && { retryAfter }),
        newConnection: each.connection === 'n',
      })
    }),
  )
})

test('bursts', async () => {
  const row = fc.record({
    times,
    status,
    code,
    connection,
    kind: fc.constantFrom(...REQUEST_KINDS),
    phase: fc.constantFrom(...BURST_PHASES),
    retryAfter: maybeText,
    orderId: maybeText,
    price: maybeText,
    reference: fc.integer({ min: -1, max: 99 }),
    units: fc.nat({ max: 9 }),
  })
  await fc.assert(
    fc.asyncProperty(row, async ({ times: { sentUs, receivedUs }, ...each }) => {
      const wire = new ScriptWire(0, {} as BurstFile, [])
      const { kind, phase, reference, units } = each
      const request = { kind, key: 3, reference, units, product: 0 }
      const answer = {
        status: each.status,
        durationMs: 4,
        connection: each.connection,
        code: String(each.code ?? '-'),
        retryAfter: fieldOf(each.retryAfter),
        errorCode: '-',
        orderId: fieldOf(each.orderId),
        price: fieldOf(each.price),
        currency: '-',
        state: '-',
        items: '-',
      }
      const line = wire.lines(phase, [request], [answer], {
        sentMs: sentUs / 1000,
        receivedMs: receivedUs / 1000,
      })
      expect(named(line, EVIDENCE.bursts.o)).toMatchObject({
        script: '0',
        key: '3',
        units: String(units),
        price: answer.price,
        connection: each.connection,
      })
      const { scripts } = await readAsFile(`${line}\n${wire.endLine(1, 'done')}\n`, (file) =>
        importBursts(file, { scripts: 1, interrupted: false }),
      )
      expect(scripts[0]?.exchanges).toEqual([
        expect.objectContaining({
          script: 0,
          key: 3,
          phase,
          kind,
          units,
          status: each.status,
          durationMs: 4,
          newConnection: each.connection === 'n',
        }),
      ])
      const read = scripts[0]?.exchanges[0]
      expect([read?.reference, read?.code]).toEqual([
        reference < 0 ? undefined : reference,
        each.code,
      ])
      expect([read?.retryAfter, read?.orderId, read?.price]).toEqual([
        each.retryAfter,
        each.orderId,
        each.price,
      ])
    }),
  )
})

test('open models', async () => {
  const row = fc.record({
    times,
    status,
    code,
    connection,
    operation: fc.constantFrom(...SESSION_OPERATIONS),
    subject: fc.option(fc.nat({ max: 9 }), { nil: undefined }),
    attempt: fc.nat({ max: 9 }),
    retryAfter: maybeText,
    state: maybeText,
    reference: maybeText,
    items: fc.option(fc.nat({ max: 99 }), { nil: undefined }),
    ids: fc.array(text, { maxLength: 3 }),
    prices: fc.array(text, { maxLength: 3 }),
  })
  await fc.assert(
    fc.asyncProperty(
      row,
      async ({
        times: { sentUs, receivedUs },
        operation,
        subject,
        attempt,
        connection: own,
        ...rest
      }) => {
        const lines: string[] = []
        const writer = new SessionLines({
          unixMs: 1_700_000_000_000,
          testMs: 0,
          zeroMs: 0,
          write: (line) => void lines.push(line),
        })
        const start = { index: 0, key: 0, dueMs: 0 }
        const known = Object.fromEntries(
          Object.entries(rest).filter(([, value]) => value !== undefined),
        ) as typeof rest
        writer.begin(start, 'buyer', 0)
        writer.exchange(
          start,
          { operation, attempt, dueMs: 0, ...(subject !== undefined && { subject }) },
          {
            ...(known as object),
            status: rest.status,
            ids: rest.ids,
            prices: rest.prices,
            sentMs: sentUs / 1000,
            receivedMs: receivedUs / 1000,
            durationMs: (receivedUs - sentUs) / 1000,
            states: [],
          },
          own,
        )
        writer.end(start, 'done')
        const line =
          lines.flatMap((each) => each.split('\n')).find((one) => one.startsWith('a')) ?? ''
        expect(named(line, EVIDENCE['open-model'].a)).toMatchObject({
          session: '0',
          attempt: String(attempt),
          status: String(rest.status),
          items: String(rest.items ?? '-'),
          states: '-',
          durationUs: String(receivedUs - sentUs),
        })
        const reading = { sessions: 1, keys: 1, interrupted: false }
        const { sessions } = await readAsFile(`${lines.join('\n')}\n`, (file) =>
          importOpenModel(file, reading),
        )
        const [session] = sessions
        expect(session?.exchanges[0]).toMatchObject({
          ...rest,
          operation,
          subject,
          attempt,
          durationMs: (receivedUs - sentUs) / 1000,
          newConnection: own === 'n',
        })
      },
    ),
  )
})

test('the times of the test clock are those that move with it', () => {
  expect(timePlacesIn(EVIDENCE.windows)).toEqual({ h: [4], x: [4, 5] })
  expect(timePlacesIn(EVIDENCE.bursts)).toEqual({ o: [7, 8] })
  expect(timePlacesIn(EVIDENCE['open-model'])).toEqual({
    h: [3, 4],
    w: [2, 3],
    s: [4, 5],
    a: [5, 6, 7],
  })
})
