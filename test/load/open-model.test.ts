/** The open-model engine with a real k6 against the reference service: every session, every request, and nothing twice. */
import { describe, test } from 'vitest'
import { k6AtHand } from '../support/k6.ts'
import { expectHeld } from '../support/punctual.ts'
import type { LoadResult } from '../../schemas/generated/run-record.ts'
import { carryOut } from './real-k6.ts'

const WINDOW_SECONDS = 2
const CHOICE = { workload: 'smoke', seconds: 2, requestsPerSecond: 40 } as const
const SESSIONS = 16

type Carried = {
  readonly result: LoadResult
  /** Everything that was written, by file name. */
  readonly files: ReadonlyMap<string, string>
  readonly progress: readonly string[]
  /** The keys that were used. */
  readonly secrets: readonly string[]
}

function browse(options: {
  readonly faults?: readonly string[]
  readonly instances?: number
  readonly outputs?: (directory: string) => readonly string[]
}): Promise<Carried> {
  const used = new Map<string, string>()
  const progress: string[] = []
  const onProgress = (text: string): void => void progress.push(text)
  const run = { faults: [], windowSeconds: WINDOW_SECONDS, choice: CHOICE, used, onProgress }
  return carryOut('browse', { ...run, ...options }, ({ result, files }) => {
    return { result, files, progress, secrets: [...used.keys()] }
  })
}

function linesOf({ files }: Carried, word: string): string[] {
  const text = files.get('browse.evidence.txt') ?? ''
  return text.split('\n').filter((line) => line.startsWith(`${word} `))
}

describe.skipIf(k6AtHand === undefined)(
  'open models with a real k6 (K6_BIN, PATH or cache)',
  () => {
    test.concurrent('every session begins and ends, and every request is in the evidence', async ({
      expect,
    }) => {
      const carried = await browse({ outputs: (directory) => [`json=${directory}/metrics.json`] })
      const { result, files, progress, secrets } = carried
      expectHeld(result)
      expect(linesOf(carried, 's')).toHaveLength(SESSIONS)
      const announced = linesOf(carried, 'z').map((line) => Number(line.split(' ')[2]))
      expect(announced).toHaveLength(SESSIONS)
      const exchanges = linesOf(carried, 'a')
      expect(exchanges).toHaveLength(announced.reduce((sum, count) => sum + count, 0))
      // Opening a connection is no request of a session.
      expect(result.requests.sent).toBe(exchanges.length)
      expect(result.measurements).toMatchObject({ sessions: SESSIONS, newConnections: 0 })
      expect(result.latency?.admitted.count).toBe(result.requests.admitted)
      const offered = result.series?.reduce((sum, slice) => sum + slice.offered, 0)
      // What a busy machine lets a session ask after the end of the schedule is in no slice.
      expect(offered).toBeGreaterThan(result.requests.sent / 2)
      expect(offered).toBeLessThanOrEqual(result.requests.sent)
      expect(progress.join('\n')).toMatch(/[\d.]+\/s offered.* · \d of 2 s · .* requests sent/)
      // k6's own metrics went where --out says, and no key with them.
      expect(files.get('metrics.json')).toContain('http_req_duration')
      // Each answer has a metric with tags that an output can group by.
      expect(files.get('metrics.json')).toMatch(/"metric":"harness_answer_duration","type":"Point"/)
      expect(files.get('metrics.json')).toMatch(
        /"operation":"listServices"[^}]*"status":"200"[^}]*"verdict":"admitted"/,
      )
      const written = [...files.values()].join('\n')
      expect(secrets.length).toBeGreaterThan(0)
      expect(secrets.filter((secret) => written.includes(secret))).toEqual([])
    })

    test.concurrent('pages that repeat a product are found', async ({ expect }) => {
      const { result } = await browse({ faults: ['services-limit-off-by-one'] })
      expect(result.verdict).toBe('fail')
      expect(result.findings).toContainEqual(
        expect.objectContaining({ requirement: 'CAT-09', verdict: 'fail' }),
      )
    })

    test.concurrent('two processes share the schedule: no session is left out or done twice', async ({
      expect,
    }) => {
      const carried = await browse({ instances: 2 })
      expectHeld(carried.result)
      const indexes = linesOf(carried, 's').map((line) => Number(line.split(' ')[1]))
      expect(indexes.toSorted((a, b) => a - b)).toEqual(
        Array.from({ length: SESSIONS }, (_, index) => index),
      )
      expect(carried.result.instances).toHaveLength(2)
    })
  },
)
