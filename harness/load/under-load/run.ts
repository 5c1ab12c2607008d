import { HarnessError } from '../../errors.ts'
import { importOpenModel } from '../open-model/import.ts'
import type { OpenModelPlan } from '../open-model/plan.ts'
import type { OpenModelContext } from '../open-model/context.ts'
import { runK6, type RunK6Options } from '../k6/run.ts'
import { liveViewOf } from '../live-views.ts'
import type { BackgroundRun } from './result.ts'

/** k6 on its way. */
export type Background = {
  /** Stops it, because the checks have ended, and reads what it left. Throws where k6 failed by itself. */
  stop(): Promise<BackgroundRun>
}

/** So many exchanges show that the load has begun. */
const BEGUN = 1

/** Starts the background with k6, and returns once its first requests were answered. Throws what k6 failed with. */
export async function startBackground(
  plan: OpenModelPlan,
  context: OpenModelContext,
  options: Pick<
    RunK6Options,
    'k6' | 'reached' | 'runDir' | 'runId' | 'isPriceBound' | 'clock' | 'signal' | 'onProgress'
  >,
): Promise<Background> {
  const enough = new AbortController()
  const begun = Promise.withResolvers<void>()
  const signal = AbortSignal.any([enough.signal, ...(options.signal ? [options.signal] : [])])
  const running = runK6({
    ...options,
    plan,
    live: liveViewOf({ kind: 'open-model', plan, context }),
    signal,
    onExchanges: (count) => {
      if (count >= BEGUN) begun.resolve()
    },
  })
  // Whoever stops it hears of it.
  running.catch(() => undefined)
  const ended = await Promise.race([begun.promise, running])
  if (ended && ended.stopped === undefined && !options.signal?.aborted) throw tooShort()
  return {
    async stop() {
      enough.abort()
      const { evidencePath, stopped, ...outcome } = await running
      const isEnough = stopped === 'aborted' && options.signal?.aborted !== true
      const reading = {
        sessions: plan.file.sessions,
        keys: plan.file.keyEnvs.length,
        interrupted: stopped !== undefined,
      }
      const evidence = await importOpenModel(evidencePath, reading)
      return { ...outcome, ...(stopped && !isEnough ? { stopped } : {}), evidence, isEnough }
    },
  }
}

function tooShort(): HarnessError {
  return new HarnessError(
    'E_K6_FAILED',
    'the background load ended before its first request was read',
    'Run again; if it stays so, report it with the run record.',
  )
}
