import { readAsFile } from '../../../test/support/evidence-text.ts'
import { describe, expect, test } from 'vitest'
import { readStatusCode } from '../../../load/workload/answers.ts'
import { importEvidence } from './import.ts'
import { listOf } from '../../../test/support/samples.ts'

const parse = (text: string, reading: Parameters<typeof importEvidence>[1]) =>
  readAsFile(text, (file) => importEvidence(file, reading))

const WHOLE = [
  'h 2 0 1795248101075 1200',
  'x 0 0 0 1500 2750 200 - - n',
  'x 0 1 7 2800 3001 429 8 1.5%20s r',
  'x 0 0 1 4000 9000 0 1212 - -',
  'm 0 1 0',
  'e 0 3 done',
  '',
].join('\n')

const FINISHED = { streams: 1, interrupted: false }
const INTERRUPTED = { streams: 1, interrupted: true }

describe('evidence', () => {
  test('is read field by field', async () => {
    const { streams } = await parse(WHOLE, FINISHED)
    expect(streams[0]?.end).toBe('done')
    expect(streams[0]?.messages).toEqual({ named: 1, unnamed: 0 })
    expect(listOf(streams[0]?.samples)).toMatchObject([
      {
        key: 0,
        phase: 'below',
        sentMs: 1.5,
        receivedMs: 2.75,
        status: 200,
        connection: 'n',
      },
      {
        key: 1,
        phase: 'edge',
        sentMs: 2.8,
        receivedMs: 3.001,
        status: 429,
        code: 8,
        retryAfter: '1.5 s',
        connection: 'r',
      },
      {
        key: 0,
        phase: 'at',
        sentMs: 4,
        receivedMs: 9,
        status: 0,
        code: 1212,
        connection: '-',
      },
    ])
  })

  test.each([
    'x 0 0 0 1500 2750 200 - -',
    'x 0 0 0 2750 1500 200 - - n',
    'x 1 0 0 1500 2750 200 - - n',
    'x 0 0 99 1500 2750 200 - - n',
    'x 0 0 0 1500 NaN 200 - - n',
    'x 0 0 0 1500 2750 200 eight - n',
    'x 0 0 0 1500 2750 200 99999999999 - n',
    'x 0 0 0 1500 2750 1200 - - n',
    'x 0 0 0 1500 2750 429 8 %zz n',
    'x 0 70000 0 1500 2750 200 - - n',
    'h 1 0 1795248101075',
    'h 1 0 1795248101075 1200',
    'm 0 1',
    'e 0 3 perhaps',
    'Hello',
  ])('with the line %j is refused', async (line) => {
    await expect(parse(`${line}\n${WHOLE}`, FINISHED)).rejects.toThrow('Line 1 of the evidence')
  })

  test('that lacks a line which k6 says it wrote is refused', async () => {
    const lines = WHOLE.split('\n').filter((line) => !line.includes(' 429 '))
    await expect(parse(lines.join('\n'), FINISHED)).rejects.toThrow(
      'sent 3 requests, but the evidence holds 2',
    )
  })

  test('without an exchange is refused, unless k6 was interrupted', async () => {
    await expect(parse('', FINISHED)).rejects.toThrow('without one exchange')
    expect((await parse('', INTERRUPTED)).streams.map(({ samples }) => listOf(samples))).toEqual([
      [],
    ])
  })

  test('that is cut off is accepted from an interrupted k6 only', async () => {
    const cut = WHOLE.slice(0, WHOLE.indexOf(' 429'))
    await expect(parse(cut, FINISHED)).rejects.toThrow('cut off')
    const { streams } = await parse(cut, INTERRUPTED)
    expect(streams[0]?.samples).toHaveLength(1)
    expect(streams[0]?.end).toBeUndefined()
  })

  test('that is missing is an error with its code', async () => {
    const missing = importEvidence('/nonexistent/evidence.txt', FINISHED)
    await expect(missing).rejects.toMatchObject({ code: 'E_K6_FAILED' })
    await expect(missing).rejects.toThrow('wrote no evidence')
  })
})

describe('the statusCode of a body', () => {
  test.each([
    ['{"data":null,"statusCode":8}', '8'],
    ['{ "statusCode" : 13 , "data": null }', '13'],
    ['{"data":{"statusCode":1},"statusCode":8}', '8'],
    ['{"data":{"statusCode":1}}', '-'],
    ['{"statusMessage":"{","statusCode":8}', '8'],
    ['{"statusCode":"8"}', '-'],
    ['{"statusCode":8.5}', '-'],
    ['<html>', '-'],
    ['', '-'],
    [null, '-'],
  ])('%j is %s', (body, code) => {
    expect(readStatusCode(body)).toBe(code)
  })
})
