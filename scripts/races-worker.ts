/** Carries checks out once against a service that runs in another thread, and posts how each ended. */
import { parentPort, workerData } from 'node:worker_threads'
import { runAll } from '../conformance/engine/run-all.ts'
import { ALL_CHECKS } from '../conformance/registry.ts'
import { accountsOf } from '../harness/accounts/select-accounts.ts'
import { UndiciTransport } from '../harness/client/undici-transport.ts'
import { RealClock } from '../harness/clock.ts'
import { preflight } from '../harness/gate/preflight.ts'
import type { Target } from '../harness/target-file/target.ts'
import { sessionOn } from '../test/support/session.ts'

export type RaceTask = { readonly target: Target; readonly checks: readonly string[] }

const { target, checks } = workerData as RaceTask
const accounts = accountsOf(target)
const transport = new UndiciTransport()
const clock = new RealClock()
const { limits } = await preflight({ target, accounts, transport, clock })
const session = sessionOn({ target, limits, accounts, transport, clock })
const wanted = ALL_CHECKS.filter(({ id }) => checks.includes(id))
const outcomes = await runAll(wanted, [], session)
await transport.close()
parentPort?.postMessage(outcomes.map(({ check }) => check))
