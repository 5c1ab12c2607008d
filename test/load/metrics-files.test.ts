/** k6's own metrics in files, beside the record of the same requests: tags, what the caller added, and whether the figures agree. */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { quantile } from '../../harness/load/shared/latencies.ts'
import type { RunRecord } from '../../schemas/generated/run-record.ts'
import { k6AtHand } from '../support/k6.ts'
import { run, type Ended } from '../verdict/command-line.ts'
import { frontedService, targetOnDisk, type Passing } from '../verdict/servers.ts'

const HEADER = { name: 'X-Gate', value: 'value-of-the-own-header' } as const
/** A service answers evenly within these: percentiles far above what measuring itself takes. */
const DELAY_MS = { min: 5, max: 150 } as const

type Point = { metric: string; value: number; tags: Record<string, string> }

describe.skipIf(k6AtHand === undefined)('metrics of k6 in files (K6_BIN, PATH or cache)', () => {
  let directory = ''
  let ended: Ended
  let record: RunRecord
  let points: Point[] = []
  let table: string[][] = []
  const sent: Passing[] = []

  beforeAll(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'harness-metrics-test-'))
    const [json, csv] = ['metrics.json', 'metrics.csv'].map((name) => path.join(directory, name))
    let count = 0
    await using service = await frontedService(
      async (request): Promise<'pass'> => {
        sent.push(request)
        // The golden ratio spreads any number of requests evenly.
        const share = (++count * 0.618034) % 1
        if (/services|item/.test(request.url))
          await sleep(DELAY_MS.min + share * (DELAY_MS.max - DELAY_MS.min))
        return 'pass'
      },
      { limits: { default: { count: 1000, windowSeconds: 2 } } },
    )
    await using target = await targetOnDisk(service.baseUrl, (file) => file)
    ended = await run(
      'load',
      [
        ...`--target ${target.file} --scenario browse --workload steady --seconds 8 --rate 60`.split(
          ' ',
        ),
        ...`--think-time 200ms --out json=${json} --out csv=${csv} --tag build=4f2a91c`.split(' '),
        '--header',
        `${HEADER.name}: ${HEADER.value}`,
      ],
      target.env,
    )
    record = await ended.record()
    points = pointsOf(await readFile(json as string, 'utf8'))
    table = (await readFile(csv as string, 'utf8'))
      .trim()
      .split('\n')
      .map((line) => line.split(','))
  }, 60_000)
  afterAll(() => rm(directory, { recursive: true, force: true }))

  test('each answer is a value with the tags operation, status and verdict', () => {
    expect(ended.code, ended.out + ended.err).toBe(0)
    const answers = points.filter(({ metric }) => metric === 'harness_answer_duration')
    expect(answers.length).toBe(record.load[0]?.requests.sent)
    for (const { tags } of answers)
      expect(tags).toMatchObject({
        operation: expect.stringMatching(/^(?:services|lookup)$/) as string,
        status: '200',
        verdict: 'admitted',
        build: '4f2a91c',
      })
    const [heads = [], ...rows] = table
    const tagsAt = heads.indexOf('extra_tags')
    const shown = rows.filter(([metric]) => metric === 'harness_answer_duration')
    expect(shown.length).toBe(answers.length)
    for (const row of shown)
      for (const tag of ['status=200', 'verdict=admitted', 'build=4f2a91c'])
        expect(row[tagsAt]).toContain(tag)
  })

  test('p50 to p99 are those of k6 for the same requests, within 5 %', ({ annotate }) => {
    const ofK6 = Float64Array.from(
      points
        .filter(({ metric, tags }) => metric === 'http_req_duration' && tags['name'] !== 'warm')
        .map(({ value }) => value),
    ).toSorted()
    const ours = record.load[0]?.latency?.admittedService
    expect(ofK6.length).toBe(ours?.count)
    const rows = [
      [0.5, ours?.msP50],
      [0.9, ours?.msP90],
      [0.95, ours?.msP95],
      [0.99, ours?.msP99],
    ].map(([share = 0, ms = 0]) => ({ share, k6: quantile(ofK6, share), ours: ms }))
    void annotate(JSON.stringify(rows))
    for (const row of rows) {
      expect(row.k6).toBeGreaterThan(1)
      expect(Math.abs(row.ours / row.k6 - 1), JSON.stringify(row)).toBeLessThan(0.05)
    }
  })

  test('an own header goes with each request of k6, beside the key, and nowhere else', async () => {
    const own = sent.filter(({ headers }) => headers['x-gate'] !== undefined)
    expect(own.length).toBeGreaterThanOrEqual(record.load[0]?.requests.sent ?? Infinity)
    for (const { headers } of own) {
      expect(headers['x-gate']).toBe(HEADER.value)
      expect(headers['x-api-key']).toMatch(/\S/)
    }
    const said = ended.out + ended.err + (await ended.file('run.json'))
    expect(said + JSON.stringify(points)).not.toContain(HEADER.value)
  })

  test('the rate is that of requests', () => {
    const { load } = record
    const seconds = Number(load[0]?.measurements['scheduleSeconds'])
    // Steady rises to its rate within a tenth of its length.
    expect(Number(load[0]?.requests.sent) / seconds / (0.945 * 60)).toBeCloseTo(1, 1)
  })
})

function pointsOf(text: string): Point[] {
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { type: string; metric: string; data: Point })
    .filter(({ type }) => type === 'Point')
    .map(({ metric, data: { value, tags } }) => ({ metric, value, tags }))
}
