import path from 'node:path'
import { createVitest } from 'vitest/node'
import type { ConformanceRunner } from '../harness/gate/conformance.ts'
import type { QuotaSpent } from '../harness/quota/ledger.ts'
import type { SuiteMessage } from './host.ts'
import { RecordReporter } from './reporter.ts'

/** After the request to stop, how long the checks may take to end in order. */
const STOP_GRACE_MS = 4_000

/** Carries the selected checks out in vitest and returns what they left. */
export const runConformance: ConformanceRunner = async (options) => {
  const { signal, onProgress, onOutcome, ...plan } = options
  const name = `ordering-harness-${crypto.randomUUID()}`
  const reporter = new RecordReporter(onOutcome)
  let spent: readonly QuotaSpent[] = []
  let orders = 0
  const channel = new BroadcastChannel(name)
  channel.addEventListener('message', (event: Event) => {
    const message = (event as MessageEvent).data as SuiteMessage
    if (message.kind === 'progress') onProgress(message.progress)
    if (message.kind === 'spent') ({ spent, orders } = message)
  })
  const vitest = await createVitest({
    config: path.join(import.meta.dirname, 'vitest.config.ts'),
    watch: false,
    run: true,
    reporters: [reporter],
    provide: { suitePlan: { ...plan, channel: name } },
  })
  const stop = (): void => {
    channel.postMessage({ kind: 'stop', reason: 'the run was interrupted' } satisfies SuiteMessage)
    setTimeout(() => void vitest.cancelCurrentRun('keyboard-input'), STOP_GRACE_MS).unref()
  }
  signal.addEventListener('abort', stop, { once: true })
  try {
    if (!signal.aborted) await vitest.start()
  } finally {
    signal.removeEventListener('abort', stop)
    await vitest.close()
    channel.close()
  }
  // vitest sets the exit code of the process from its own view; ours is decided from the record.
  process.exitCode = undefined
  return { outcomes: reporter.outcomes, faults: reporter.faults, spent, orders }
}
