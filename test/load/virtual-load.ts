/** Load scenarios against the reference service in virtual time: the same plans, clients and judges, without k6. */
import { readAsFile } from '../support/evidence-text.ts'
import { wholeRun } from '../support/whole-run.ts'
import {
  burstScenario,
  judgeAttempt,
  openModelScenario,
  rateLimitScenario,
  type BurstName,
  type PricedScenario,
} from '../../harness/load/attempts.ts'
import { isOpenModelName } from '../../harness/load/open-model/scenarios.ts'
import { importEvidence, type Evidence } from '../../harness/load/rate-limits/import.ts'
import type { LoadPlan } from '../../harness/load/rate-limits/plan.ts'
import type { Lacks } from '../../harness/load/shared/lacks.ts'
import type { ScenarioName } from '../../harness/load/shared/scenarios.ts'
import type { K6Outcome, K6Run } from '../../harness/load/evidence/k6-run.ts'
import { importBursts } from '../../harness/load/bursts/burst-import.ts'
import type { BurstPlan } from '../../harness/load/bursts/burst-plan.ts'
import type { BurstRun } from '../../harness/load/bursts/burst-result.ts'
import type { PlannedAttempt } from '../../harness/load/planned-attempt.ts'
import type { WorkloadChoice } from '../../harness/load/open-model/workloads.ts'
import { streamsOf } from '../../harness/load/rate-limits/window-streams.ts'
import type { LoadResult } from '../../schemas/generated/run-record.ts'
import { USER_AGENTS } from '../../contract/wire.ts'
import { turnAt } from '../../load/protocol/turns.ts'
import { isThrottled } from '../../contract/answers.ts'
import { readAnswer } from '../../load/workload/answers.ts'
import { EvidenceWriter } from '../../load/workload/evidence-writer.ts'
import { runScript } from '../../load/workload/script.ts'
import { ScriptWire } from '../../load/workload/script-wire.ts'
import { readOrderAnswer } from '../../load/workload/order-answers.ts'
import { drillWindow, isRefusal } from '../../load/workload/window-drill.ts'
import { playSessions } from './virtual-sessions.ts'
import {
  virtualNetwork,
  type VirtualNetwork,
  type VirtualNetworkOptions,
} from './virtual-network.ts'

export type VirtualScenario = ScenarioName

/** One scenario, once, judged. */
export function virtualLoad(
  scenario: VirtualScenario,
  options: VirtualNetworkOptions = {},
): Promise<LoadResult> {
  return virtualLoadOn(scenario, virtualNetwork(options))
}

export async function virtualLoadOn(
  scenario: VirtualScenario,
  network: VirtualNetwork,
  choice?: WorkloadChoice,
): Promise<LoadResult> {
  const { attempt, text, outcome } = await carryOut(scenario, network, choice)
  return readAsFile(text, (evidencePath) =>
    judgeAttempt(attempt, { ...outcome, evidencePath }, { k6Version: 'virtual' }),
  )
}

async function carryOut(
  scenario: VirtualScenario,
  network: VirtualNetwork,
  choice?: WorkloadChoice,
): Promise<{
  readonly attempt: PlannedAttempt
  readonly text: string
  readonly outcome: Omit<K6Outcome, 'evidencePath'>
}> {
  const priced = await pricedOf(scenario, network, choice)
  if ('lacks' in priced) throw new Error(priced.lacks)
  const attempt = await priced.attempt()
  const startMs = network.nowMs()
  const text = await textOf(attempt, network, startMs)
  return { attempt, text, outcome: wholeRun((network.nowMs() - startMs) / 1000) }
}

async function pricedOf(
  scenario: VirtualScenario,
  network: VirtualNetwork,
  choice: WorkloadChoice = { workload: 'smoke' },
): Promise<PricedScenario | Lacks> {
  const { target, accounts } = network
  if (isOpenModelName(scenario)) return openModelScenario(scenario, network, choice)
  return scenario === 'rate-limit-windows'
    ? rateLimitScenario(target, await streamsOf(target, accounts, network))
    : burstScenario(scenario, network)
}

/** The evidence of all clients. */
async function textOf(
  { kind, plan }: PlannedAttempt,
  network: VirtualNetwork,
  startMs: number,
): Promise<string> {
  if (kind === 'open-model') return playSessions(plan, network)
  const texts =
    kind === 'windows'
      ? plan.streams.map((_, index) => carryOutStream(index, plan, network))
      : plan.file.scripts.map((_, index) => carryOutScript(index, plan, network, startMs))
  return (await Promise.all(texts)).join('')
}

/** What a scenario of bursts left behind, not judged. */
export async function burstRun(
  name: BurstName,
  network: VirtualNetwork,
): Promise<{ readonly plan: BurstPlan; readonly run: BurstRun }> {
  const { attempt, text, outcome } = await carryOut(name, network)
  if (attempt.kind !== 'bursts') throw new Error(`${name} is no scenario of bursts`)
  const { plan } = attempt
  const reading = { scripts: plan.scripts.length, interrupted: false }
  const evidence = await readAsFile(text, (file) => importBursts(file, reading))
  return { plan, run: { ...outcome, evidence } }
}

/** What the scenario of windows left behind, not judged. */
export async function windowsRun(
  network: VirtualNetwork,
): Promise<{ readonly plan: LoadPlan; readonly run: K6Run<Evidence> }> {
  const { attempt, text, outcome } = await carryOut('rate-limit-windows', network)
  if (attempt.kind !== 'windows') throw new Error('the scenario of windows has no streams')
  const { plan } = attempt
  const reading = { streams: plan.streams.length, interrupted: false }
  const evidence = await readAsFile(text, (file) => importEvidence(file, reading))
  return { plan, run: { ...outcome, evidence } }
}

/** The evidence of one script. */
async function carryOutScript(
  index: number,
  plan: BurstPlan,
  network: VirtualNetwork,
  startMs: number,
): Promise<string> {
  const keys = plan.scripts[index]?.keys ?? []
  const wire = new ScriptWire(
    index,
    plan.file,
    keys.map(({ secret }) => secret),
  )
  const script = plan.file.scripts[index]
  if (!script) throw new Error(`the plan has no script ${index}`)
  const lines: string[] = []
  let exchanges = 0
  const end = await runScript(script, {
    nowMs: () => network.nowMs() - startMs,
    sleepMs: (milliseconds) => network.clock.sleep(milliseconds),
    async send(phase, requests) {
      if (network.gapMs !== undefined) await network.clock.sleep(network.gapMs)
      const sentMs = network.nowMs()
      const answers = await Promise.all(
        requests.map(async (request) => {
          const answer = await network.send({
            ...wire.request(request),
          })
          const durationMs = answer.receivedMs - answer.sentMs
          return readOrderAnswer(answer, {
            retryAfter: answer.retryAfter,
            durationMs,
            isNew: false,
            reads: wire.reads(request),
          })
        }),
      )
      exchanges += answers.length
      lines.push(wire.lines(phase, requests, answers, { sentMs, receivedMs: network.nowMs() }))
      return answers
    },
  })
  return `${[...lines, wire.endLine(exchanges, end)].join('\n')}\n`
}

/** The evidence of one stream. */
async function carryOutStream(
  index: number,
  plan: LoadPlan,
  network: VirtualNetwork,
): Promise<string> {
  const stream = plan.file.streams[index]
  const keys = plan.streams[index]?.keys ?? []
  if (!stream) throw new Error(`the plan has no stream ${index}`)
  const lines: string[] = []
  const { refusalNames } = stream
  const write = (text: string): void => void lines.push(text)
  const evidence = new EvidenceWriter({
    stream: index,
    testMs: network.nowMs(),
    refusalNames,
    write,
  })
  let sequence = 0
  const end = await drillWindow(stream, {
    nowMs: () => network.nowMs(),
    sleepMs: (milliseconds) => network.clock.sleep(milliseconds),
    async send(phase, count) {
      const sentMs = network.nowMs()
      const first = sequence
      sequence += count
      const { method, body, urls = [stream.url] } = stream
      const answers = await Promise.all(
        Array.from({ length: count }, async (_, offset) => {
          const taking = { keys: keys.length, urls: urls.length }
          const { key, url: place, userAgent } = turnAt(first + offset, taking)
          const url = urls[place] ?? stream.url
          const headers = {
            ...stream.headers,
            'User-Agent': USER_AGENTS[userAgent] ?? '',
            'X-API-Key': keys[key]?.secret ?? '',
          }
          const answer = await network.send({
            method,
            url,
            headers,
            ...(body === undefined ? {} : { body }),
          })
          return { ...answer, key, timings: { connecting: 0 } }
        }),
      )
      const receivedMs = network.nowMs()
      for (const answer of answers) {
        evidence.exchange(
          answer.key,
          { phase, sentMs, receivedMs },
          readAnswer(answer as unknown as Parameters<typeof readAnswer>[0]),
        )
        if (isThrottled(answer)) evidence.refusal(answer.body)
      }
      return {
        sentMs,
        receivedMs,
        admitted: answers.filter((answer) => !isRefusal(answer)).length,
        refused: answers.filter(isRefusal).length,
        unanswered: 0,
      }
    },
  })
  evidence.end(end)
  return `${lines.join('\n')}\n`
}
