/** A step against a service whose capacity is known, without sockets or time: so many workers, each taking so long. */
import type { StepRunner } from '../../harness/capacity/conduct.ts'
import { measureStep } from '../../harness/capacity/measure.ts'
import { sessionsFor } from '../../harness/capacity/plan.ts'
import type { MachineUse } from '../../harness/capacity/verdict.ts'
import { sessionOf } from '../load/sample-open-model.ts'
import type { SessionExchange } from '../../harness/load/open-model/exchange-table.ts'
import { type SessionEvidence, sessionTable } from '../../harness/load/open-model/session-table.ts'

export type SimulatedWorkers = {
  readonly workers: number
  readonly serviceMs: number
  /** Requests of each window that a limit admits, windows of one second. */
  readonly limitPerSecond?: number
  /** Seconds of processor that the generator takes for a request; it has one processor. */
  readonly generatorSeconds?: number
}

export const CAPACITY_OF = ({ workers, serviceMs }: SimulatedWorkers): number =>
  (1000 * workers) / serviceMs

/** One request per session. */
export function simulatedRunner(service: SimulatedWorkers): StepRunner {
  return ({ ratePerSecond, seconds }) => {
    const count = sessionsFor({ ratePerSecond, seconds }, 1)
    const sessions = sessionTable(simulate(service, count, ratePerSecond))
    const measured = measureStep(
      { sessions },
      { seconds, sessions: count, requestsPerSession: 1, waits: false },
    )
    return Promise.resolve({ measured, machine: machineOf(service, ratePerSecond) })
  }
}

function machineOf({ generatorSeconds = 0 }: SimulatedWorkers, ratePerSecond: number): MachineUse {
  const k6Cores = Math.min(1, generatorSeconds * ratePerSecond)
  return { busyShare: k6Cores, k6Cores }
}

function simulate(
  { workers, serviceMs, limitPerSecond = Infinity }: SimulatedWorkers,
  count: number,
  ratePerSecond: number,
): SessionEvidence[] {
  const freeAtMs = Array.from({ length: workers }, () => 0)
  const admitted = new Map<number, number>()
  return Array.from({ length: count }, (_, index) => {
    const dueMs = (1000 * (index + 0.5)) / ratePerSecond
    const window = Math.floor(dueMs / 1000)
    const nth = (admitted.get(window) ?? 0) + 1
    admitted.set(window, nth)
    if (nth > limitPerSecond)
      return sentWhenDue(index, dueMs, { receivedMs: dueMs + 1, status: 429 })
    const worker = freeAtMs.indexOf(Math.min(...freeAtMs))
    const endMs = Math.max(dueMs, freeAtMs[worker] ?? 0) + serviceMs
    freeAtMs[worker] = endMs
    return sentWhenDue(index, dueMs, { receivedMs: endMs, status: 200 })
  })
}

function sentWhenDue(
  index: number,
  dueMs: number,
  answer: Pick<SessionExchange, 'receivedMs' | 'status'>,
): SessionEvidence {
  const end = answer.status === 200 ? 'done' : 'starved'
  return sessionOf(index, [{ dueMs, sentMs: dueMs, ...answer }], { dueMs, end })
}
