/** Histories of a fixed window for sample records, made by a small simulation with a seed. */
import type { WindowTrace } from '../../schemas/generated/run-record.ts'

export type WindowPlan = {
  readonly partition: string
  readonly bucket: string
  readonly count: number
  readonly windowSeconds: number
  readonly phase?: string
  /** Moments in seconds at which bursts of so many requests start, `gapMs` apart. */
  readonly bursts: readonly {
    readonly atSeconds: number
    readonly requests: number
    readonly gapMs: number
  }[]
  /** First window edge, seconds. */
  readonly edgeSeconds: number
  /** Requests that the service lets through beyond the budget of each window. */
  readonly leak?: number
  /** Every so many requests one stays without an answer. */
  readonly lostEvery?: number
}

/** Numbers in [0, 1) that repeat with the seed (Lehmer's generator). */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
}

function sendMoments(plan: WindowPlan, random: () => number): number[] {
  return plan.bursts
    .flatMap(({ atSeconds, requests, gapMs }) =>
      Array.from({ length: requests }, (_, i) => atSeconds * 1_000 + i * gapMs + random() * gapMs),
    )
    .toSorted((a, b) => a - b)
}

export function simulateWindow(plan: WindowPlan, seed = 7): WindowTrace {
  const random = seeded(seed)
  const windowMs = plan.windowSeconds * 1_000
  const admitted = new Map<number, number>()
  const outcome = { mustAccept: 0, mustRefuse: 0, ambiguous: 0, violations: 0 }
  const points = sendMoments(plan, random).map((sentMs, i): [number, number, number] => {
    const receivedMs = sentMs + 1.5 + random() * 4
    if (plan.lostEvery !== undefined && i % plan.lostEvery === plan.lostEvery - 1)
      return [round(sentMs), round(sentMs + 900), 0]
    const window = Math.floor((sentMs - plan.edgeSeconds * 1_000) / windowMs)
    const used = admitted.get(window) ?? 0
    const admits = used < plan.count + (plan.leak ?? 0)
    if (used >= plan.count) outcome.mustRefuse++
    else if (used === 0) outcome.ambiguous++
    else outcome.mustAccept++
    if (admits && used >= plan.count) outcome.violations++
    if (admits) admitted.set(window, used + 1)
    return [round(sentMs), round(receivedMs), admits ? 200 : 429]
  })
  const lastMs = points.at(-1)?.[1] ?? 0
  const edgesMs: number[] = []
  for (let edgeMs = plan.edgeSeconds * 1_000; edgeMs <= lastMs; edgeMs += windowMs)
    edgesMs.push(edgeMs)
  const { partition, bucket, count, windowSeconds, phase } = plan
  const limit = { count, windowSeconds }
  return { partition, bucket, limit, outcome, edgesMs, points, ...(phase ? { phase } : {}) }
}

function round(ms: number): number {
  return Math.round(ms * 1_000) / 1_000
}
