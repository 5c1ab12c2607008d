/** Clients of an open-model plan in virtual time: what k6 carries out, without k6. */
import { createHash } from 'node:crypto'
import type { VirtualClock } from '../support/virtual-clock.ts'
import type { OpenModelPlan } from '../../harness/load/open-model/plan.ts'
import { dueSeconds, keyIndexOf, mixOf } from '../../load/protocol/arrival-schedule.ts'
import { SessionLines } from '../../load/workload/session-lines.ts'
import { SessionWire } from '../../load/workload/session-wire.ts'
import { SESSIONS } from '../../load/workload/session.ts'
import { seeded } from '../support/limiter-simulator.ts'
import type { VirtualNetwork } from './virtual-network.ts'

export type Playing = Pick<VirtualNetwork, 'send'> & { readonly clock: VirtualClock }

/** The evidence of all sessions, or of those that were due before it was over. */
export async function playSessions(
  plan: OpenModelPlan,
  network: Playing,
  isOver = (): boolean => false,
): Promise<string> {
  const { clock } = network
  const startMs = clock.nowMs()
  const texts: Promise<string>[] = []
  for (let index = 0; index < plan.file.sessions; index++) {
    const dueMs = plan.file.leadMs + 1000 * (dueSeconds(plan.file.stages, index) ?? 0)
    await clock.sleep(Math.max(0, startMs + dueMs - clock.nowMs()))
    if (isOver()) break
    texts.push(playSession(index, plan, network, startMs))
  }
  return (await Promise.all(texts)).join('')
}

async function playSession(
  index: number,
  { file, keys }: OpenModelPlan,
  { clock, send }: Playing,
  startMs: number,
): Promise<string> {
  const zeroMs = startMs + file.leadMs
  const kinds = mixOf(file.mix)
  const kind = kinds[index % kinds.length] ?? 'browse'
  const dueMs = 1000 * (dueSeconds(file.stages, index) ?? 0)
  const session = { index, key: keyIndexOf(index, kinds.length, file.keyEnvs.length), dueMs }
  const wire = new SessionWire({
    plan: file,
    keys: keys.map(({ secret }) => secret),
    digest: (text) => createHash('md5').update(text).digest('hex').slice(0, 10),
  })
  const written: string[] = []
  const startWallMs = clock.wallMs() - (clock.nowMs() - startMs)
  // k6 notes a whole millisecond, and when in the test that was.
  const unixMs = Math.floor(startWallMs)
  const lines = new SessionLines({
    unixMs,
    testMs: startMs - (startWallMs - unixMs),
    zeroMs,
    write: (text) => written.push(text),
  })
  const nowMs = (): number => clock.nowMs() - zeroMs
  lines.begin(session, kind, nowMs())
  const end = await SESSIONS[kind](
    {
      nowMs,
      sleepUntilMs: (atMs) => clock.sleep(Math.max(0, atMs - nowMs())),
      random: seeded(index),
      async send(request) {
        const response = await send(wire.request(session, request))
        const sentMs = response.sentMs - zeroMs
        const receivedMs = response.receivedMs - zeroMs
        const times = { sentMs, receivedMs, durationMs: receivedMs - sentMs }
        const answer = wire.answer(request.operation, { ...response, ...times })
        lines.exchange(session, request, answer, 'r')
        return answer
      },
    },
    file,
    session,
  )
  lines.end(session, end)
  return `${written.join('\n')}\n`
}
