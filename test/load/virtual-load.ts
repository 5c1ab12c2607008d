/** Load scenarios against the reference service in virtual time: the same plans, clients and judges, without k6. */
import { readAsFile } from '../support/evidence-text.ts'
import { importOpenModel } from '../../harness/load/open-model/import.ts'
import { draftOpenModel } from '../../harness/load/open-model/draft.ts'
import { openModelResult } from '../../harness/load/open-model/result.ts'
import {
  OPEN_MODELS,
  isOpenModelName,
  type OpenModelName,
} from '../../harness/load/open-model/scenarios.ts'
import { importEvidence, type Evidence } from '../../harness/load/rate-limits/import.ts'
import { judgeLoad } from '../../harness/load/rate-limits/judge.ts'
import { planLoad, type LoadPlan } from '../../harness/load/rate-limits/plan.ts'
import { BURSTS, type BurstName } from '../../harness/load/attempts.ts'
import type { ScenarioName } from '../../harness/load/shared/scenarios.ts'
import type { K6Run } from '../../harness/load/evidence/k6-run.ts'
import { importBursts } from '../../harness/load/bursts/burst-import.ts'
import type { BurstPlan } from '../../harness/load/bursts/burst-plan.ts'
import type { WorkloadChoice } from '../../harness/load/open-model/workloads.ts'
import { streamsOf } from '../../harness/load/rate-limits/window-streams.ts'
import { burstResult, type BurstRun } from '../../harness/load/bursts/burst-result.ts'
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

export function virtualLoadOn(
  scenario: VirtualScenario,
  network: VirtualNetwork,
  choice: WorkloadChoice = { workload: 'smoke' },
): Promise<LoadResult> {
  if (scenario === 'rate-limit-windows') return virtualWindows(network)
  return isOpenModelName(scenario)
    ? virtualOpenModel(scenario, network, choice)
    : virtualBursts(scenario, network)
}

async function virtualOpenModel(
  name: OpenModelName,
  network: VirtualNetwork,
  choice: WorkloadChoice,
): Promise<LoadResult> {
  const draft = draftOpenModel(name, network, choice)
  if ('lacks' in draft) throw new Error(draft.lacks)
  const plan = await draft.plan()
  const startMs = network.nowMs()
  const text = await playSessions(plan, network)
  const { keyEnvs, sessions } = plan.file
  const reading = { sessions, keys: keyEnvs.length, interrupted: false }
  const evidence = await readAsFile(text, (file) => importOpenModel(file, reading))
  const run = finished(evidence, network, startMs)
  const judgement = OPEN_MODELS[name].judge(run.evidence, plan, network)
  return openModelResult(plan, run, { k6Version: 'virtual', judgement })
}

async function virtualBursts(name: BurstName, network: VirtualNetwork): Promise<LoadResult> {
  const { plan, run } = await burstRun(name, network)
  return burstResult(plan, run, {
    k6Version: 'virtual',
    judgement: BURSTS[name].judge(plan, run, network),
  })
}

/** What a scenario of bursts left behind, not judged. */
export async function burstRun(
  name: BurstName,
  network: VirtualNetwork,
): Promise<{ readonly plan: BurstPlan; readonly run: BurstRun }> {
  const scenario = BURSTS[name]
  const draft = scenario.draft(network)
  if ('lacks' in draft) throw new Error(draft.lacks)
  const plan = await scenario.plan(network, draft)
  const startMs = network.nowMs()
  const texts = await Promise.all(
    plan.file.scripts.map((_, index) => carryOutScript(index, plan, network, startMs)),
  )
  const reading = { scripts: texts.length, interrupted: false }
  const evidence = await readAsFile(texts.join(''), (file) => importBursts(file, reading))
  return { plan, run: finished(evidence, network, startMs) }
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

async function virtualWindows(network: VirtualNetwork): Promise<LoadResult> {
  const { plan, run } = await windowsRun(network)
  return judgeLoad(plan, run, 'virtual')
}

/** What the scenario of windows left behind, not judged. */
export async function windowsRun(
  network: VirtualNetwork,
): Promise<{ readonly plan: LoadPlan; readonly run: K6Run<Evidence> }> {
  const { target, accounts } = network
  const plan = planLoad('rate-limit-windows', target, await streamsOf(target, accounts, network))
  const startMs = network.nowMs()
  const texts = await Promise.all(
    plan.streams.map((_, index) => carryOutStream(index, plan, network)),
  )
  const reading = { streams: texts.length, interrupted: false }
  const evidence = await readAsFile(texts.join(''), (file) => importEvidence(file, reading))
  return { plan, run: finished(evidence, network, startMs) }
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

function finished<E>(evidence: E, network: VirtualNetwork, startMs: number): K6Run<E> {
  return {
    evidence,
    exitCode: 0,
    thresholdsCrossed: [],
    clockStepMs: 0,
    durationSeconds: (network.nowMs() - startMs) / 1000,
  }
}
