import { isServerError, isThrottled, type Answered } from '../../contract/answers.ts'
import type { Phase, StreamEnd } from '../protocol/evidence.ts'
import { PARALLEL_MAX } from '../protocol/plan.ts'
import type { PlannedStream } from '../protocol/plan.ts'

/** What one batch of requests came to. Times are those of the evidence. */
export type BatchOutcome = {
  readonly sentMs: number
  readonly receivedMs: number
  /** Answered by anything else than a refusal: a filter that finds nothing may be answered by 404. */
  readonly admitted: number
  readonly refused: number
  /** Requests without any answer. */
  readonly unanswered: number
}

/** A limiter that refuses by another status is wrong, but its windows are found by that as well. */
export function isRefusal(answer: Answered): boolean {
  return isThrottled(answer) || isServerError(answer)
}

/** What the drill needs of its surroundings: k6, or a simulation. */
export type DrillIo = {
  nowMs(): number
  sleepMs(milliseconds: number): Promise<void> | void
  /** Sends `count` requests at once and waits for all answers. */
  send(phase: Phase, count: number): Promise<BatchOutcome> | BatchOutcome
}

/** Batches without any answer after which the target counts as gone. */
const UNANSWERED_BATCHES_MAX = 5
/** A burst is given this much more time than the ones before needed. */
const BURST_TIME_FACTOR = 1.5
/** Part of a window, and most milliseconds, that bursts stay away from its edges beyond the slack. */
const EDGE_MARGIN = { part: 0.03, msMax: 250 } as const
/** The first requests are spread over this many slacks, so that no edge can hide among them; at most a part of the window. */
const SPREAD = { slacks: 8, part: 0.25 } as const
/** Part of the budget that shows that a new window has really begun. */
const CONFIRM_PART = 0.25

/**
 * Takes one quota through its windows (algorithms: sync, locate the edge, late burst, edge burst). Below the budget, exactly at
 * it, then above it until the first refusal and `overBudget` further; looks for the window's edge and confirms it; spends the
 * next window just before its end and oversteps; and right after the edge spends a whole budget again and oversteps. A sliding
 * window, a token bucket or a leak cannot answer all of that as a fixed window does. Sends 3 x count + 3 x overBudget requests
 * and the probes, within about 2.3 windows. A machine or a service that halts for a moment blurs both edges at once, for they come of
 * one: then the last two are done again in the windows that follow. The verdict is not made here.
 */
export async function drillWindow(stream: PlannedStream, io: DrillIo): Promise<StreamEnd> {
  const drill = new Drill(stream, io)
  const { count } = stream
  await drill.spread('below', Math.floor(count / 2))
  await drill.burst('at', Math.ceil(count / 2))
  const refused = await drill.oversteps('above', count)
  const firstEdge = refused ? await drill.findEdge() : undefined
  let isClear = await drill.spendAround(firstEdge)
  for (let repeats = 0; !isClear && repeats < stream.repeatsMax; repeats++)
    isClear = await drill.spendAround(await drill.findEdge())
  if (drill.lost) return 'lost'
  return firstEdge ? 'done' : 'unsynced'
}

/** A window's edge lies somewhere in between; `spent` requests were admitted since. */
type Edge = { readonly fromMs: number; readonly toMs: number; readonly spent: number }

class Drill {
  readonly #stream: PlannedStream
  readonly #io: DrillIo
  #parallel: number
  #burstRequests = 0
  #burstMs = 0
  #unansweredBatches = 0
  #receivedMs = 0

  constructor(stream: PlannedStream, io: DrillIo) {
    this.#stream = stream
    this.#io = io
    this.#parallel = stream.parallel
  }

  get lost(): boolean {
    return this.#unansweredBatches >= UNANSWERED_BATCHES_MAX
  }

  /** As fast as batches go. Returns how many were admitted; true in `refused` if any was not. */
  async burst(phase: Phase, count: number): Promise<{ admitted: number; refused: boolean }> {
    let admitted = 0
    let refused = false
    for (let left = count; left > 0 && !this.lost; left -= this.#parallel) {
      const outcome = await this.#send(phase, Math.min(left, this.#parallel))
      admitted += outcome.admitted
      refused ||= outcome.refused > 0
    }
    return { admitted, refused }
  }

  /** Batches at even distances. */
  async spread(phase: Phase, count: number): Promise<void> {
    const { parallel, slackMs, windowSeconds } = this.#stream
    const spreadMs = Math.min(SPREAD.slacks * slackMs, SPREAD.part * 1000 * windowSeconds)
    const startMs = this.#io.nowMs()
    for (let sent = 0; sent < count && !this.lost; sent += parallel) {
      await this.#send(phase, Math.min(count - sent, parallel))
      await this.#sleepUntil(startMs + (spreadMs * Math.min(count, sent + parallel)) / count)
    }
  }

  /** Up to `spareCount` requests until one is refused, then `overBudget` more. False if none was refused at all. */
  async oversteps(phase: Phase, spareCount: number): Promise<boolean> {
    const { parallel, overBudget } = this.#stream
    let refused = false
    for (let left = spareCount; left > 0 && !refused && !this.lost; left -= parallel)
      refused = (await this.#send(phase, Math.min(left, parallel))).refused > 0
    return (await this.burst(phase, overBudget)).refused || refused
  }

  /** Looks every `probeGapMs` until requests are admitted again; undefined if none is for a window and a quarter. */
  async findEdge(): Promise<Edge | undefined> {
    const { windowSeconds, probeGapMs, count } = this.#stream
    const giveUpMs = this.#io.nowMs() + 1250 * windowSeconds
    let fromMs = this.#io.nowMs()
    while (this.#io.nowMs() < giveUpMs && !this.lost) {
      await this.#io.sleepMs(probeGapMs)
      const probe = await this.#send('probe', 1)
      if (probe.admitted === 0) {
        fromMs = probe.sentMs
        continue
      }
      const confirmed = await this.burst(
        'confirm',
        Math.min(count - 1, Math.ceil(count * CONFIRM_PART)),
      )
      if (!confirmed.refused)
        return { fromMs, toMs: probe.receivedMs, spent: 1 + confirmed.admitted }
    }
    return undefined
  }

  /** Spends and oversteps a window before its end, and the next one from its beginning. True if each burst was over in time. */
  async spendAround(edge: Edge | undefined): Promise<boolean> {
    const { count, overBudget } = this.#stream
    this.#sendMoreAtOnce()
    if (edge) await this.#waitBeforeNextEdge(edge)
    await this.burst('late', count - (edge?.spent ?? 0))
    await this.burst('late-over', overBudget)
    const isLateClear = this.#isBefore(edge, 1)
    if (edge) await this.#waitAfterNextEdge(edge)
    await this.burst('edge', count)
    await this.burst('edge-over', overBudget)
    return isLateClear && this.#isBefore(edge, 2)
  }

  /** Whether all answers came before the window that begins so many windows after the edge. */
  #isBefore(edge: Edge | undefined, windows: number): boolean {
    const { windowSeconds, slackMs } = this.#stream
    return !edge || this.#receivedMs < edge.fromMs + 1000 * windows * windowSeconds - slackMs
  }

  /** A slow service answers a burst too late for a short window, if few requests are sent at once. */
  #sendMoreAtOnce(): void {
    const roomMs = 1000 * this.#stream.windowSeconds - 2 * this.#marginMs()
    const wanted = Math.ceil((this.#parallel * this.#spendMs()) / Math.max(1, roomMs))
    const parallel = Math.min(PARALLEL_MAX, wanted)
    if (parallel <= this.#parallel) return
    this.#burstMs *= this.#parallel / parallel
    this.#parallel = parallel
  }

  /** What it takes to spend the budget and to overstep it. */
  #spendMs(): number {
    const { count, overBudget } = this.#stream
    const requestMs = this.#burstMs / Math.max(1, this.#burstRequests)
    return requestMs * (count + overBudget) * BURST_TIME_FACTOR
  }

  #waitBeforeNextEdge(edge: Edge): Promise<void> {
    const nextMs = edge.fromMs + 1000 * this.#stream.windowSeconds
    return this.#sleepUntil(nextMs - this.#marginMs() - this.#spendMs())
  }

  #waitAfterNextEdge(edge: Edge): Promise<void> {
    const { windowSeconds } = this.#stream
    return this.#sleepUntil(edge.toMs + 1000 * windowSeconds + this.#marginMs())
  }

  /** One slack is the edge's own; another is how far the edge that the probe showed can be off. */
  #marginMs(): number {
    const { windowSeconds, slackMs } = this.#stream
    return 2 * slackMs + Math.min(EDGE_MARGIN.part * 1000 * windowSeconds, EDGE_MARGIN.msMax)
  }

  async #sleepUntil(goalMs: number): Promise<void> {
    const leftMs = goalMs - this.#io.nowMs()
    if (leftMs > 0 && !this.lost) await this.#io.sleepMs(leftMs)
  }

  async #send(phase: Phase, count: number): Promise<BatchOutcome> {
    const outcome = await this.#io.send(phase, count)
    this.#unansweredBatches = outcome.unanswered < count ? 0 : this.#unansweredBatches + 1
    this.#receivedMs = outcome.receivedMs
    if (phase !== 'probe') {
      this.#burstRequests += count
      this.#burstMs += outcome.receivedMs - outcome.sentMs
    }
    return outcome
  }
}
