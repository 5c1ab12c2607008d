/** Latency of the service by operation, as the record has it and as k6's own json has it, of the very same requests. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { latenciesOf } from '../harness/load/shared/latencies.ts'
import {
  LOAD_OPERATION_OF,
  type LoadOperation,
  type SessionOperation,
} from '../load/protocol/open-model.ts'
import type { Latencies, RunRecord } from '../schemas/generated/run-record.ts'

export type K6Point = {
  readonly metric: string
  readonly value: number
  readonly tags: Readonly<Record<string, string>>
}

export type OperationAgreement = {
  readonly operation: string
  /** Answers of k6's json that the record does not count as admitted are not compared. */
  readonly ours: Latencies
  readonly k6: Latencies
}

/** The values of k6's `--out json`. */
export function pointsOf(json: string): K6Point[] {
  return json
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { type: string; metric: string; data: K6Point })
    .filter(({ type }) => type === 'Point')
    .map(({ metric, data: { value, tags } }) => ({ metric, value, tags }))
}

/** Percentiles of k6's http_req_duration. Requests that open connections before time 0 belong to no operation. */
export function latenciesOfK6(points: readonly K6Point[]): Map<LoadOperation, Latencies> {
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

/** On a busy machine; latencies agree all the same. */
const EXIT_INCONCLUSIVE = 6
const LOAD = path.join(import.meta.dirname, '..', 'scripts', 'load.ts')

/** Loads the embedded service once. An operation with a refusal is left out, because k6's json does not tell which it was. */
export async function measureAgreement(seconds: number): Promise<readonly OperationAgreement[]> {
  const dir = await mkdtemp(path.join(tmpdir(), 'bench-agreement-'))
  try {
    const [json, run] = [path.join(dir, 'k6.json'), path.join(dir, 'run')]
    const args = `--scenario mixed --workload steady --seconds ${seconds} --reports ${dir} --run-dir ${run} --out json=${json}`
    const child = spawn(process.execPath, [LOAD, ...args.split(' ')], { stdio: 'ignore' })
    const [code] = (await once(child, 'exit')) as [number | null]
    if (code !== 0 && code !== EXIT_INCONCLUSIVE)
      throw new Error(`The load ended with ${String(code)}; expected 0: run npm run load alone.`)
    const record = JSON.parse(await readFile(path.join(run, 'run.json'), 'utf8')) as RunRecord
    const ofK6 = latenciesOfK6(pointsOf(await readFile(json, 'utf8')))
    const operations = record.load[0]?.operations ?? []
    return operations.flatMap(({ operation, admittedService: ours }) => {
      const k6 = ofK6.get(operation as LoadOperation)
      return k6?.count === ours.count ? [{ operation, ours, k6 }] : []
    })
  } finally {
    await rm(dir, { recursive: true, force: true })
  }
}
