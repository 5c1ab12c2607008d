import { wholeRun } from '../support/whole-run.ts'
import { statedLimits } from '../support/stated-limits.ts'
import { randomUUID } from 'node:crypto'
import type { AccountSource, AccountSpec } from '../../harness/accounts/accounts.ts'
import { keyringOf } from '../../harness/accounts/accounts.ts'
import { VirtualClock } from '../support/virtual-clock.ts'
import { readAsFile } from '../support/evidence-text.ts'
import { importBursts } from '../../harness/load/bursts/burst-import.ts'
import type { BurstContext, BurstPlan } from '../../harness/load/bursts/burst-plan.ts'
import type { BurstRun } from '../../harness/load/bursts/burst-result.ts'
import { selectScenarios } from '../../harness/load/shared/scenarios.ts'
import { effectiveLimits } from '../../harness/quota/effective-limits.ts'
import { embedInProcess } from '../support/in-process.ts'
import type { Credential } from '../../harness/target-file/target.ts'
import type { LoadResult } from '../../schemas/generated/run-record.ts'
import { runScript, type ScriptAnswer, type ScriptRequest } from '../../load/workload/script.ts'
import { ScriptWire } from '../../load/workload/script-wire.ts'

function make(spec: AccountSpec): Promise<Credential[]> {
  const account = randomUUID()
  return Promise.resolve(
    spec.keys.map(() => ({ role: 'full', account, secret: randomUUID(), env: 'KEY' })),
  )
}

/** What a scenario is planned for in tests: the embedded target, without sockets, and keys that no service knows. */
export function simulatedContext(): BurstContext {
  const { target } = embedInProcess({ faults: [], windowSeconds: 2, clock: new VirtualClock() })
  const accounts: AccountSource = {
    fresh: true,
    roles: ['full', 'capped'],
    make,
    async open() {
      const [full] = await make({ keys: [{ scopes: [] }] })
      return keyringOf(full ? { full } : {})
    },
  }
  return { target, limits: effectiveLimits({ ...target, limits: statedLimits(60) }), accounts }
}

export type SimulatedRequest = ScriptRequest & { readonly script: number; readonly nowMs: number }

/** Answers the requests of one release, which all overlap. */
export type SimulatedService = (requests: readonly SimulatedRequest[]) => readonly ScriptAnswer[]

const RELEASE_MS = 10
/** Longer than half of a release: any two overlap. */
const DURATION_MS = 8

export const ANSWER: ScriptAnswer = {
  status: 200,
  durationMs: DURATION_MS,
  connection: 'r',
  code: '0',
  retryAfter: '-',
  errorCode: '-',
  orderId: '-',
  price: '-',
  currency: '-',
  state: '-',
  items: '-',
}

/** What k6 would record of a plan against a simulated service. Scripts run one after the other, each from the same moment on. */
export async function simulateBursts(
  plan: BurstPlan,
  service: SimulatedService,
): Promise<BurstRun> {
  const simulated = plan.file.scripts.map(async (script, index) => {
    const wire = new ScriptWire(index, plan.file, [])
    const lines: string[] = []
    let [nowMs, exchanges] = [0, 0]
    const end = await runScript(script, {
      nowMs: () => nowMs,
      sleepMs: (milliseconds) => {
        nowMs += milliseconds
      },
      send(phase, requests) {
        const sentMs = nowMs
        nowMs += RELEASE_MS
        const answers = service(
          requests.map((each) => ({ ...each, script: index, nowMs: sentMs + RELEASE_MS / 2 })),
        )
        exchanges += answers.length
        lines.push(wire.lines(phase, requests, answers, { sentMs, receivedMs: nowMs }))
        return answers
      },
    })
    return `${[...lines, wire.endLine(exchanges, end)].join('\n')}\n`
  })
  const texts = await Promise.all(simulated)
  const reading = { scripts: texts.length, interrupted: false }
  const evidence = await readAsFile(texts.join(''), (file) => importBursts(file, reading))
  return { ...wholeRun(), evidence }
}

/** All that the scenario names, but for what its simulation does not show. */
export function decidable(scenario: string, ...others: string[]): string[] {
  return selectScenarios([scenario])
    .flatMap(({ requirements }) => requirements)
    .filter((id) => !others.includes(id))
}

export function verdicts({ findings }: LoadResult, verdict: string): string[] {
  return findings.filter((each) => each.verdict === verdict).map(({ requirement }) => requirement)
}
