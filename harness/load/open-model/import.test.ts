import { readAsFile } from '../../../test/support/evidence-text.ts'
import { describe, expect, test } from 'vitest'
import { SessionLines } from '../../../load/workload/session-lines.ts'
import type { SessionAnswer, SessionRequest } from '../../../load/workload/session-io.ts'
import { importOpenModel } from './import.ts'

const parse = (text: string, reading: Parameters<typeof importOpenModel>[1]) =>
  readAsFile(text, (file) => importOpenModel(file, reading))

const ANSWER: SessionAnswer = {
  status: 200,
  sentMs: 100.0004,
  receivedMs: 110.0004,
  durationMs: 9.5004,
  ids: [],
  prices: [],
  states: [],
}
const REQUEST: SessionRequest = { operation: 'services', attempt: 0, dueMs: 99 }
const START = { index: 1, key: 1, dueMs: 99 }
const READING = { sessions: 3, keys: 2, interrupted: false }

/** What a virtual user writes whose schedule begins 500 ms after the test. */
function written(script: (lines: SessionLines) => void): string {
  const texts: string[] = []
  const lines = new SessionLines({
    unixMs: 1_700_000_000_000,
    testMs: 20,
    zeroMs: 500,
    write: (text) => void texts.push(text),
  })
  script(lines)
  lines.flush()
  return texts.map((text) => `${text}\n`).join('')
}

function oneSession(answer: Partial<SessionAnswer> = {}, request = REQUEST): string {
  return written((lines) => {
    lines.begin(START, 'browse', 99.2)
    lines.exchange(START, request, { ...ANSWER, ...answer }, 'r')
    lines.end(START, 'done')
  })
}

describe('evidence of the open model', () => {
  test('comes back as it was written, on the clock of the schedule', async () => {
    const answer = {
      status: 429,
      code: 8,
      retryAfter: '2',
      errorCode: 'odd code, 100 %',
      state: 'IN_PROGRESS',
      currency: 'USD',
      total: '12.50',
      reference: '-',
      items: 2,
      ids: ['a,b', '-', ''],
      prices: ['1.5'],
      states: ['SUCCESS', 'CANCELLED'],
    }
    const request = { operation: 'cart', attempt: 3, dueMs: 99 } as const
    const evidence = await parse(oneSession(answer, request), READING)
    const [session] = evidence.sessions
    expect(session).toMatchObject({ index: 1, kind: 'browse', key: 1, dueMs: 99, end: 'done' })
    const [exchange] = session?.exchanges ?? []
    expect(exchange).toMatchObject({
      ...answer,
      session: 1,
      key: 1,
      operation: 'cart',
      attempt: 3,
      dueMs: 99,
      newConnection: false,
      // An empty text would be no field.
      ids: ['a,b', '-', ' '],
    })
    expect(exchange?.sentMs).toBe(100)
    expect(exchange?.receivedMs).toBe(110.001)
    expect(exchange?.durationMs).toBe(9.5)
    expect(evidence.zeroUnixMs).toBe(1_700_000_000_480)
  })

  test('keeps what is not there apart from what is empty', async () => {
    const [session] = (await parse(oneSession(), READING)).sessions
    expect(session?.exchanges[0]).toMatchObject({
      code: undefined,
      retryAfter: undefined,
      items: undefined,
      ids: [],
    })
  })

  test('a session whose exchanges are not all there is refused', async () => {
    const text = oneSession().split('\n')
    const without = text.filter((line) => !line.startsWith('a ')).join('\n')
    await expect(parse(without, READING)).rejects.toThrow(
      'Session 1 sent 1 requests, but the evidence holds 0.',
    )
  })

  test('the same session twice is refused', async () => {
    const text = oneSession()
    const again = text.slice(text.indexOf('s 1'))
    await expect(parse(text + again, READING)).rejects.toThrow('malformed')
  })

  test.each([
    ['a session beyond the plan', (text: string) => text.replace('\ns 1 ', '\ns 3 ')],
    ['a key beyond the plan', (text: string) => text.replace('\ns 1 0 1', '\ns 1 0 2')],
    ['received before sent', (text: string) => text.replace(' 610001 ', ' 599999 ')],
    ['another version', (text: string) => text.replace('h 4 ', 'h 9 ')],
    ['no head', (text: string) => text.slice(text.indexOf('\n') + 1)],
    ['a broken encoding', (text: string) => text.replace('- - -\nz', '%zz - -\nz')],
    ['a line more', (text: string) => `${text}q 1 2\n`],
  ])('%s is refused', async (_, change) => {
    const text = oneSession()
    expect(change(text)).not.toBe(text)
    await expect(parse(change(text), READING)).rejects.toThrow('malformed')
  })

  test('nothing at all is refused, unless k6 was interrupted', async () => {
    await expect(parse('', READING)).rejects.toThrow('without one exchange')
    const cut = oneSession().slice(0, -9)
    await expect(parse(cut, READING)).rejects.toThrow('cut off')
    const { sessions } = await parse(cut, { ...READING, interrupted: true })
    const [session] = sessions
    expect(session?.exchanges).toHaveLength(1)
    expect(session?.end).toBeUndefined()
  })
})
