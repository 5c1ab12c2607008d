import exec from 'k6/execution'
import http from 'k6/http'
import { Counter } from 'k6/metrics'
import type { Options } from 'k6/options'
import { dueSeconds, keyIndexOf, mixOf } from '../protocol/arrival-schedule.ts'
import { OPEN_MODEL_VERSION } from '../protocol/open-model.ts'
import type { OpenModelFile, SessionKind } from '../protocol/open-model.ts'
import { signedBy } from '../../contract/wire.ts'
import { signatureOf } from '../protocol/instances.ts'
import { METRIC } from '../protocol/plan.ts'
import { SessionUser } from './session-user.ts'
import { floorsOf } from './instance.ts'
import { networkOptions } from './network.ts'
import { readKeys, readPlanFile } from './plan.ts'
import { answerMetric } from './answer-metric.ts'
import { SESSIONS } from './session.ts'

/**
 * What a virtual user of an open model does: takes the next session and sleeps until it is due. If all are busy, a session starts late,
 * and its evidence says so. In k6's init context.
 */
export function sessionRunner(plan: OpenModelFile): () => Promise<void> {
  const keys = readKeys(plan.keyEnvs)
  const kinds = mixOf(plan.mix)
  const exchanges = new Counter(METRIC.exchanges)
  const sessionsFinished = new Counter(METRIC.streamsFinished)
  const answered = answerMetric()
  let user: SessionUser | undefined
  let sent = 0
  const counted = (): void => {
    exchanges.add(1)
    // A ledger of last resort: what one virtual user alone must never reach.
    if (++sent > plan.requestsMax) exec.test.abort(`more than ${plan.requestsMax} requests`)
  }
  // Refusals are expected answers here: k6 is not to count them as failures.
  http.setResponseCallback(http.expectedStatuses({ min: 200, max: 599 }))
  return async () => {
    user ??= new SessionUser({ plan, keys, counted, answered })
    const index = exec.scenario.iterationInTest
    const dueMs = 1000 * (dueSeconds(plan.stages, index) ?? 0)
    const kind = kinds[index % kinds.length] as SessionKind
    const session = { index, key: keyIndexOf(index, kinds.length, keys.length), dueMs }
    user.take(session)
    user.sleepUntilMs(dueMs)
    user.lines.begin(session, kind, user.nowMs())
    const end = await SESSIONS[kind](user, plan, session)
    user.lines.end(session, end)
    sessionsFinished.add(1)
  }
}

/** Floors, the ceiling of requests and names: what all open models have in common. */
export function openModelOptions(plan: OpenModelFile): Options {
  return {
    // Floors: a run that sent too little has proved nothing, whatever else holds.
    thresholds: floorsOf({
      [METRIC.exchanges]: [
        `count>=${plan.sessions}`,
        { threshold: `count<=${plan.requestsMax}`, abortOnFail: true },
      ],
      [METRIC.streamsFinished]: [`count==${plan.sessions}`],
    }),
    // Each tag is a series that k6 keeps to its end: the evidence says more.
    systemTags: ['scenario', 'name'],
    userAgent: signedBy(signatureOf(plan)),
    ...networkOptions(),
  }
}

export function readOpenModel(): OpenModelFile {
  const plan = readPlanFile<OpenModelFile>(OPEN_MODEL_VERSION)
  if (!(plan.sessions >= 1) || plan.mix.length === 0 || plan.keyEnvs.length === 0)
    throw new Error(`The plan of ${plan.scenario} has no session, no mix or no key.`)
  return plan
}
