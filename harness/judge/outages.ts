/** When a target was not there, or began anew, as far as that shows from outside. What failed then says nothing about the target. */
import type { Exchange } from '../client/exchange.ts'
import { isConnectionFailure } from '../client/watchful-transport.ts'
import { pagesBetweenAnswers } from './limit-pages.ts'
import { lostAcross } from './restarts.ts'

export type Outage = {
  /** Monotonic milliseconds of the harness's clock. */
  readonly fromMs: number
  readonly toMs: number
  /** A sentence: when, how long, how it showed. */
  readonly text: string
  /** Checks that had a request under way, or were between two. */
  readonly checks: readonly string[]
}

/** Nobody listens: no service of its own does that to one kind of request. */
const NOT_THERE = /^(?:ECONNREFUSED|ENOTFOUND|EHOSTUNREACH|ENETUNREACH)$/

/** So many requests of several operations in a row, with no answer between them, show an outage that refuses none. */
const SIGNS_MIN = 3
const OPERATIONS_MIN = 2

/** What a gateway answers for a service that is not there. */
const GATEWAY = [502, 503, 504]

/** Every outage in the history, in order of time. */
export function outagesIn(history: readonly Exchange[]): Outage[] {
  const limited = new Set(pagesBetweenAnswers(history))
  const told = history
    .filter((each) => each.error?.code !== 'ABANDONED' && !limited.has(each))
    .toSorted((a, b) => a.receivedAtMs - b.receivedAtMs)
  const breaks = breaksOf(runsOfSigns(told))
  const isOnlyBreak = breaks.length === 1
  return breaks.flatMap((runs) => {
    const signs = runs.flat()
    if (runs.some(isOutage)) return [outageOf(signs, told)]
    // Where connections break now and then, a loss beside one of them shows nothing.
    const lost = isOnlyBreak && isBroken(signs) ? lostAcross(signs, told) : undefined
    return lost === undefined ? [] : [outageOf(signs, told, lost)]
  })
}

/** Runs whose requests were under way at one time: what broke them was one event, whoever was answered meanwhile. */
function breaksOf(runs: readonly Run[]): Run[][] {
  const breaks: Run[][] = []
  let untilMs = -Infinity
  for (const run of runs) {
    const isOfLast = run.some(({ sentAtMs }) => sentAtMs <= untilMs)
    if (isOfLast) breaks.at(-1)?.push(run)
    else breaks.push([run])
    untilMs = Math.max(...run.map(({ receivedAtMs }) => receivedAtMs))
  }
  return breaks
}

function isBroken(signs: readonly Exchange[]): boolean {
  return signs.some(({ error }) => error !== undefined)
}

/** Signs that follow each other without a sound answer between them. */
type Run = Exchange[]

function runsOfSigns(history: readonly Exchange[]): Run[] {
  const runs: Run[] = []
  let run: Run | undefined
  for (const exchange of history) {
    if (isSign(exchange)) {
      if (run) run.push(exchange)
      else runs.push((run = [exchange]))
    } else if (!exchange.error) run = undefined
  }
  return runs
}

/**
 * From a chosen address there may be no way to the target, which says nothing about the target: neither that it was gone, nor that it
 * was there.
 */
function isSign({ request, error, response, json }: Exchange): boolean {
  if (error) return request.localAddress === undefined && isConnectionFailure(error.code)
  return response !== undefined && GATEWAY.includes(response.status) && json === undefined
}

function isOutage(signs: readonly Exchange[]): boolean {
  const operations = new Set(signs.map(({ operation }) => operation))
  return (
    signs.some(({ error }) => error && NOT_THERE.test(error.code)) ||
    (signs.length >= SIGNS_MIN && operations.size >= OPERATIONS_MIN)
  )
}

function outageOf(signs: readonly Exchange[], history: readonly Exchange[], lost = 0): Outage {
  const fromMs = Math.min(...signs.map(({ sentAtMs }) => sentAtMs))
  const toMs = Math.max(...signs.map(({ receivedAtMs }) => receivedAtMs))
  const first = signs.find(({ sentAtMs }) => sentAtMs === fromMs) as Exchange
  const at = new Date(first.sentAtWallMs).toISOString()
  const shown = new Set(
    signs.map(({ error, response }) => error?.code ?? `HTTP ${response?.status}`),
  )
  const seconds = ((toMs - fromMs) / 1000).toFixed(1)
  const lasted = seconds === '0.0' ? '' : ` for ${seconds} s`
  const forgotten = lost > 0 ? `; ${lost} orders that it knew before were gone after it` : ''
  return {
    fromMs,
    toMs,
    text: `the target was not there${lasted} at ${at} (${signs.length} without an answer: ${[...shown].toSorted().join(', ')})${forgotten}`,
    checks: [...Map.groupBy(history, ({ check }) => check)]
      .filter(([, exchanges]) => isAcross({ fromMs, toMs }, exchanges))
      .map(([check]) => check),
  }
}

/** Whether exchanges lie on both sides of an outage, or in it: a state that they share may be lost. */
export function isAcross(
  { fromMs, toMs }: Pick<Outage, 'fromMs' | 'toMs'>,
  exchanges: readonly { readonly sentAtMs: number; readonly receivedAtMs: number }[],
): boolean {
  const first = Math.min(...exchanges.map(({ sentAtMs }) => sentAtMs))
  const last = Math.max(...exchanges.map(({ receivedAtMs }) => receivedAtMs))
  return first <= toMs && last >= fromMs
}
