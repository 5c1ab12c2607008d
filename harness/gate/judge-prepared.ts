import { readPrepared } from '../load/prepared/prepared.ts'
import { judgePrepared } from '../load/prepared/conclude.ts'
import { Redactor } from '../record/redact.ts'
import { conclude, requirePlace } from './conclude.ts'
import { RunState } from './run-state.ts'
import type { GateParts } from './parts.ts'
import type { GateStreams } from './supervise.ts'
import type { RunOptions } from './options.ts'
import type { Permission } from '../plan/permission.ts'

export type JudgeRunOptions = RunOptions & { readonly judgeDir: string }

/** Judges a prepared run by the evidence that was brought; writes record and reports and returns the exit code. */
export async function judgePreparedRun(
  options: JudgeRunOptions,
  parts: GateParts,
  { out }: Pick<GateStreams, 'out'>,
): Promise<number> {
  await requirePlace(options)
  const { judgeDir, clockSkewMs } = options
  const prepared = await readPrepared(judgeDir)
  const { facts, k6Version } = prepared
  const runState = new RunState(options)
  const results = await judgePrepared({
    directory: judgeDir,
    prepared,
    clockSkewMs,
    onOrders: (scenario, orders) => runState.boughtByLoad(scenario, orders),
  })
  runState.target = facts.target
  runState.roles = facts.roles
  runState.k6 = { version: k6Version, source: 'started by hand' }
  runState.ready(
    {
      limits: facts.limits,
      latencySeconds: 0,
      hazards: [...facts.hazards, ...hazardsOf(results.some(isShared), clockSkewMs)],
      ...(facts.clockSkewMs ? { clockSkewMs: facts.clockSkewMs } : {}),
    },
    facts.permission as Permission,
    { selection: { checks: [], scenarios: [] }, parts },
  )
  runState.load.push(...results)
  return conclude({ runState, options, parts }, { redactor: new Redactor(), out })
}

function isShared({ instances }: { readonly instances?: readonly unknown[] }): boolean {
  return instances !== undefined
}

/** What nobody could watch is said. */
function hazardsOf(severalInstances: boolean, clockSkewMs: number): string[] {
  return [
    'k6 was started by hand: whether the clock of its machine was set during the run is not known.',
    ...(severalInstances
      ? [`The clocks of the instances are taken to differ by at most ${clockSkewMs} ms.`]
      : []),
  ]
}
