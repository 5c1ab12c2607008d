/** The one vitest file: every selected check is a test, all side by side; then the invariants judge the whole history. */
import { afterAll, beforeAll, describe, inject, test } from 'vitest'
import type { CheckOutcome } from '../harness/judge/check-outcome.ts'
import { outagesIn } from '../harness/judge/outages.ts'
import { confirmLaterPrices } from './engine/later-prices.ts'
import { runCheck, runInvariant } from './engine/run-check.ts'
import { requestsOf } from './engine/traffic.ts'
import type { Secret, SuiteMessage } from './host.ts'
import { liveSession } from './live-session.ts'

const plan = inject('suitePlan')
const channel = new BroadcastChannel(plan.channel)
const stop = new AbortController()
channel.addEventListener('message', (event: Event) => {
  const message = (event as MessageEvent).data as SuiteMessage
  if (message.kind === 'stop') stop.abort(new Error(message.reason))
})

/** A run learns thousands. They are handed over together, before anything that may name one. */
const secrets: Secret[] = []
const tell = (message: SuiteMessage): void => {
  if (secrets.length > 0) channel.postMessage({ kind: 'secrets', secrets: secrets.splice(0) })
  channel.postMessage(message)
}
const live = liveSession(plan, stop, {
  onProgress: (progress) => tell({ kind: 'progress', progress }),
  onSecret: (value, label) => void secrets.push({ value, label }),
  onHazard: (text) => tell({ kind: 'hazard', text }),
  onStopped: (reason) => tell({ kind: 'stopped', reason }),
  onLost: () => tell({ kind: 'lost' }),
})
const { session, checks, invariants } = live
tell({ kind: 'listening' })

/** Told as checks end, for this thread may be ended while it is busy; not after each, for hundreds end in one moment. */
const TOLD_EVERY_MS = 200
let toldAtMs = -Infinity

function tellSpent(isLast = false): void {
  const now = performance.now()
  if (!isLast && now - toldAtMs < TOLD_EVERY_MS) return
  toldAtMs = now
  const purchased = session.guard.purchased({ isNamed: isLast })
  tell({ kind: 'spent', spent: session.ledger.spent(), purchased })
}

/** The last order may take long to tell what it cost. */
const PRICE_READING_MS_MAX = 1_000_000

afterAll(async () => {
  try {
    await session.guard.idle()
    tellSpent(true)
    tell({ kind: 'causes', causes: session.causes() })
    tell({ kind: 'outages', outages: outagesIn(session.history.all()) })
    tell({ kind: 'traffic', traffic: requestsOf(session.history.all()) })
  } finally {
    await live[Symbol.asyncDispose]()
    channel.close()
  }
}, PRICE_READING_MS_MAX)

const GOOD: readonly string[] = ['pass', 'warn', 'observed']

/** The verdict lives in the outcome; the test mirrors it, so that vitest's own views agree. */
function mirror({ check }: CheckOutcome, skip: (reason: string) => void): void {
  if (check.verdict === 'untested' || check.verdict === 'inapplicable')
    skip(check.reason ?? check.verdict)
  const { id, verdict, expected, observed } = check
  if (!GOOD.includes(verdict)) throw new Error(JSON.stringify({ id, verdict, expected, observed }))
}

session.announce(checks)

beforeAll(() => confirmLaterPrices(session, checks), PRICE_READING_MS_MAX)

describe.concurrent('checks', () => {
  for (const definition of checks)
    test(`${definition.id}: ${definition.title}`, async ({ task, skip }) => {
      task.meta.outcome = await runCheck(definition, session)
      tellSpent()
      mirror(task.meta.outcome, skip)
    })
})

describe('invariants over the whole history', () => {
  for (const definition of invariants)
    test(`${definition.id}: ${definition.title}`, ({ task, skip }) => {
      task.meta.outcome = runInvariant(definition, session)
      mirror(task.meta.outcome, skip)
    })
})
