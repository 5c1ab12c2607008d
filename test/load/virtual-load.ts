/** Load scenarios against the reference service in virtual time: the same plans, clients and judges, without k6. */
import { streamsOf } from '../../harness/gate/load-phase.ts'
import { parseEvidence } from '../../harness/load/import.ts'
import { judgeLoad } from '../../harness/load/judge.ts'
import { planLoad, type LoadPlan } from '../../harness/load/plan.ts'
import { VOLLEYS, type VolleyName } from '../../harness/load/ready.ts'
import type { K6Run } from '../../harness/load/run.ts'
import { parseVolleys } from '../../harness/load/volley-import.ts'
import type { VolleyPlan } from '../../harness/load/volley-plan.ts'
import { volleyResult } from '../../harness/load/volley-result.ts'
import type { LoadResult } from '../../schemas/generated/run-record.ts'
import { PHASES } from '../../load/protocol/evidence.ts'
import { readAnswer } from '../../load/workload/answers.ts'
import { EvidenceWriter } from '../../load/workload/evidence-writer.ts'
import { runLane } from '../../load/workload/lane.ts'
import { LaneWire } from '../../load/workload/lane-wire.ts'
import { readOrderAnswer } from '../../load/workload/order-answers.ts'
import { drillWindow } from '../../load/workload/window-drill.ts'
import {
  virtualNetwork,
  type VirtualNetwork,
  type VirtualNetworkOptions,
} from './virtual-network.ts'

export type VirtualScenario = VolleyName | 'rate-limit-windows'

/** One scenario, once, judged. */
export async function virtualLoad(
  scenario: VirtualScenario,
  options: VirtualNetworkOptions = {},
): Promise<LoadResult> {
  const network = virtualNetwork(options)
  return scenario === 'rate-limit-windows'
    ? await virtualWindows(network)
    : await virtualVolleys(scenario, network)
}

async function virtualVolleys(name: VolleyName, network: VirtualNetwork): Promise<LoadResult> {
  const scenario = VOLLEYS[name]
  const draft = scenario.draft(network)
  if ('lacks' in draft) throw new Error(draft.lacks)
  const plan = await scenario.plan(network, draft)
  const startMs = network.nowMs()
  const texts = await Promise.all(
    plan.file.lanes.map((_, index) => carryOutLane(index, plan, network, startMs)),
  )
  const evidence = parseVolleys(texts.join(''), { lanes: texts.length, interrupted: false })
  const run = finished(evidence, network, startMs)
  return volleyResult(plan, run, 'virtual', scenario.judge(plan, run, network))
}

/** The evidence of one lane. */
async function carryOutLane(
  index: number,
  plan: VolleyPlan,
  network: VirtualNetwork,
  startMs: number,
): Promise<string> {
  const keys = plan.lanes[index]?.keys ?? []
  const wire = new LaneWire(
    index,
    plan.file,
    keys.map(({ secret }) => secret),
  )
  const lane = plan.file.lanes[index]
  if (!lane) throw new Error(`the plan has no lane ${index}`)
  const lines: string[] = []
  let exchanges = 0
  const end = await runLane(lane, {
    nowMs: () => network.nowMs() - startMs,
    sleepMs: (milliseconds) => network.clock.sleep(milliseconds),
    async send(phase, requests) {
      const sentMs = network.nowMs()
      const answers = await Promise.all(
        requests.map(async (request) => {
          const answer = await network.send(wire.request(request))
          const durationMs = answer.receivedMs - answer.sentMs
          return readOrderAnswer(answer, {
            retryAfter: answer.retryAfter,
            durationMs,
            isNew: false,
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
  const { target, accounts } = network
  const plan = planLoad('rate-limit-windows', target, await streamsOf(target, accounts, network))
  const startMs = network.nowMs()
  const texts = await Promise.all(
    plan.streams.map((_, index) => carryOutStream(index, plan, network)),
  )
  const evidence = parseEvidence(texts.join(''), { streams: texts.length, interrupted: false })
  return judgeLoad(plan, finished(evidence, network, startMs), 'virtual')
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
  const evidence = new EvidenceWriter(index, network.nowMs(), (text) => lines.push(text))
  let sequence = 0
  const end = await drillWindow(stream, {
    nowMs: () => network.nowMs(),
    sleepMs: (milliseconds) => network.clock.sleep(milliseconds),
    async send(phase, count) {
      const sentMs = network.nowMs()
      const turns = Array.from({ length: count }, () => sequence++ % keys.length)
      const answers = await Promise.all(
        turns.map(async (key) => {
          const { method, url, body } = stream
          const headers = { ...stream.headers, 'X-API-Key': keys[key]?.secret ?? '' }
          const answer = await network.send({
            method,
            url,
            headers,
            ...(body === undefined ? {} : { body }),
          })
          return { ...answer, timings: { connecting: 0 } }
        }),
      )
      const receivedMs = network.nowMs()
      for (const [at, answer] of answers.entries())
        evidence.exchange(
          turns[at] ?? 0,
          PHASES.indexOf(phase),
          sentMs,
          receivedMs,
          readAnswer(answer as unknown as Parameters<typeof readAnswer>[0]),
        )
      return {
        sentMs,
        receivedMs,
        admitted: answers.filter(({ status }) => status < 300).length,
        refused: answers.filter(({ status }) => status === 429).length,
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
