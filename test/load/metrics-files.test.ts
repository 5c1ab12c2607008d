/** k6's own metrics in files, beside the record of the same requests: tags, what the caller added, and whether the figures agree. */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { latenciesOf } from '../../harness/load/shared/latencies.ts'
import {
  LOAD_OPERATION_OF,
  type LoadOperation,
  type SessionOperation,
} from '../../load/protocol/open-model.ts'
import type { Latencies, RunRecord } from '../../schemas/generated/run-record.ts'
import { k6AtHand } from '../support/k6.ts'
import { expectGreen } from '../support/punctual.ts'
import type { Ended } from '../verdict/command-line.ts'
import { run } from '../verdict/here.ts'
import { frontedService, targetOnDisk, type Passing } from '../verdict/servers.ts'

type K6Point = {
  readonly metric: string
  readonly value: number
  readonly tags: Readonly<Record<string, string>>
}

/** The values of k6's `--out json`. */
function pointsOf(json: string): K6Point[] {
  return json
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { type: string; metric: string; data: K6Point })
    .filter(({ type }) => type === 'Point')
    .map(({ metric, data: { value, tags } }) => ({ metric, value, tags }))
}

/** Percentiles of k6's http_req_duration. Requests that open connections before time 0 belong to no operation. */
function latenciesOfK6(points: readonly K6Point[]): Map<LoadOperation, Latencies> {
  const durations = Map.groupBy(
    points.filter(({ metric, tags }) => metric === 'http_req_duration' && tags['name'] !== 'warm'),
    ({ tags }) => LOAD_OPERATION_OF[tags['name'] as SessionOperation],
  )
  return new Map(
    durations
      .entries()
      .map(([operation, of]) => [
        operation,
        latenciesOf(Float64Array.from(of, ({ value }) => value).toSorted()),
      ]),
  )
}

const HEADER = { name: 'X-Gate', value: 'value-of-the-own-header' } as const

describe.skipIf(k6AtHand === undefined)('metrics of k6 in files (K6_BIN, PATH or cache)', () => {
  let directory = ''
  let ended: Ended
  let record: RunRecord
  let points: K6Point[] = []
  let table: string[][] = []
  const sent: Passing[] = []

  beforeAll(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'harness-metrics-test-'))
    const [json, csv] = ['metrics.json', 'metrics.csv'].map((name) => path.join(directory, name))
    await using service = await frontedService(
      (request) => {
        sent.push(request)
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
  })
  afterAll(() => rm(directory, { recursive: true, force: true }))

  test('each answer is a value with the tags operation, status and verdict', async () => {
    await expectGreen(ended)
    const answers = points.filter(({ metric }) => metric === 'harness_answer_duration')
    expect(answers.length).toBe(record.load[0]?.requests.sent)
    for (const { tags } of answers)
      expect(tags).toMatchObject({
        operation: expect.stringMatching(/^(?:listServices|lookupItems)$/) as string,
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

  test('latency of the service is that of k6 for the same requests, by operation', () => {
    const ofK6 = latenciesOfK6(points)
    const ours = record.load[0]?.operations ?? []
    expect(ours.map(({ operation }) => operation)).toEqual(['listServices', 'lookupItems'])
    for (const { operation, admittedService } of ours) {
      expect(admittedService.count).toBeGreaterThan(50)
      expect(admittedService).toEqual(ofK6.get(operation as LoadOperation))
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
