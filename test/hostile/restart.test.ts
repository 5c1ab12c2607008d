/** A right service that restarts half way and forgets all: whenever it does, nothing is blamed for it, and one outage has its time. */
import { expect, test } from 'vitest'
import type { Transport } from '../../harness/client/exchange.ts'
import type { Clock } from '../../harness/clock.ts'
import { withoutOutage } from '../../harness/gate/left-open.ts'
import { outagesIn } from '../../harness/judge/outages.ts'
import { resolveDocument } from '../../harness/target-file/resolve-document.ts'
import { shortLimits } from '../../harness/test-server/short-limits.ts'
import { demoEnvironment } from '../../reference/seed.ts'
import { targetFile } from '../../reference/target.ts'
import { lineOf } from '../support/conforming.ts'
import { embedInProcess } from '../support/in-process.ts'
import { seeded } from '../support/limiter-simulator.ts'
import { virtualRun } from '../support/virtual-run.ts'

const WINDOW_SECONDS = 2
/** Of one way of a request. */
const DELAY_MS_MAX = 5

const broken = (code: string): Error => Object.assign(new Error(code), { code })

/** Keys that outlive the service, in its target file. */
function withDemoKeys(): Parameters<typeof virtualRun>[0] {
  const content = targetFile('http://in-process.invalid', undefined, {
    limits: shortLimits(WINDOW_SECONDS),
  })
  const { hazards: _none, ...target } = resolveDocument(content, {
    name: 'restarting',
    env: demoEnvironment(),
  })
  return { target }
}

type Restart = { readonly atRequest: number; readonly forMs: number }

/** What is under way is reset, what comes while nobody listens is refused, and then a service answers that knows nothing. */
function restarting(transport: Transport, clock: Clock, { atRequest, forMs }: Restart): Transport {
  const random = seeded(atRequest)
  const way = (): Promise<void> => clock.sleep(random() * DELAY_MS_MAX)
  let [current, lives, sent, downUntilMs] = [transport, 1, 0, -1]
  return {
    close: () => transport.close(),
    async send(request, { onSent, ...hooks } = {}, signal) {
      sent += 1
      const sentIn = lives
      const isLast = sent === atRequest
      if (isLast) {
        lives += 1
        downUntilMs = clock.nowMs() + forMs
        const options = { faults: [], windowSeconds: WINDOW_SECONDS, clock, service: { seed: 8 } }
        void clock.sleep(forMs).then(() => ({ transport: current } = embedInProcess(options)))
      }
      onSent?.()
      await way()
      if (isLast || sentIn !== lives) throw broken('ECONNRESET')
      if (clock.nowMs() < downUntilMs) throw broken('ECONNREFUSED')
      const response = await current.send(request, hooks, signal)
      await way()
      if (sentIn !== lives) throw broken('ECONNRESET')
      return response
    },
  }
}

test.each([
  ['keys that stay', { atRequest: 300, forMs: 500 }, withDemoKeys()],
  ['keys that stay', { atRequest: 900, forMs: 1 }, withDemoKeys()],
  ['keys that stay', { atRequest: 1400, forMs: 1 }, withDemoKeys()],
  ['keys that are forgotten too', { atRequest: 1200, forMs: 100 }, {}],
  ['keys that are forgotten too', { atRequest: 3000, forMs: 1 }, {}],
] as const)('51: a restart, %s, %o', async (_, restart, whose) => {
  const { outcomes, session } = await virtualRun({
    ...whose,
    windowSeconds: WINDOW_SECONDS,
    service: { seed: 7 },
    network: (transport, clock) => restarting(transport, clock, restart),
  })
  const outages = outagesIn(session.history.all())
  const [outage] = outages
  expect(outages).toHaveLength(1)
  const left = outcomes.map((outcome) => (outage ? withoutOutage(outcome, outage) : outcome))
  const red = ({ check }: (typeof outcomes)[number]): boolean =>
    check.verdict === 'fail' || check.verdict === 'error'
  expect(left.filter(red).map(lineOf)).toEqual([])
  // What was forgotten was seen, and would be red.
  expect(outcomes.filter(red).length).toBeGreaterThan(0)
})
