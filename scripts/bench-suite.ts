/** `npm run bench -- suite`: what the whole suite takes in virtual time, beside its plan, and in real time. */
import { showSpread, spreadOf, type Spread } from '../bench/spread.ts'
import { planOf } from '../test/support/suite-plan.ts'
import { suiteRun, type Accounts } from '../test/support/suite-run.ts'

const GOAL_SECONDS = 3

const CASES: readonly {
  readonly name: string
  readonly accounts: Accounts
  readonly windowSeconds: number
}[] = [
  { name: 'an account for each check, windows of 60 s', accounts: 'fresh', windowSeconds: 60 },
  { name: 'an account for each check, windows of 2 s', accounts: 'fresh', windowSeconds: 2 },
  {
    name: 'all roles of two accounts, windows of 60 s',
    accounts: { shared: 'all' },
    windowSeconds: 60,
  },
]

export type SuiteFigures = {
  readonly name: string
  /** Real seconds: the first run, which compiles, and those after it. */
  readonly firstSeconds: number
  readonly realSeconds: Spread
  /** Of this process, which real time exceeds where others use the cores. */
  readonly cpuSeconds: Spread
  readonly virtualSeconds: number
  readonly boundSeconds: number
  /** Virtual seconds to the bound of the plan: at most 1 keeps it. */
  readonly ratio: number
}

export async function benchSuite({
  repeats,
}: {
  readonly repeats: number
}): Promise<SuiteFigures[]> {
  const results: SuiteFigures[] = []
  for (const { name, ...options } of CASES) {
    const seconds: number[] = []
    const cpu: number[] = []
    let [virtualSeconds, boundSeconds] = [0, 0]
    for (let number = 0; number <= repeats; number++) {
      const [startedMs, used] = [performance.now(), process.cpuUsage()]
      const run = await suiteRun({ ...options, isWritten: true })
      const { user, system } = process.cpuUsage(used)
      seconds.push((performance.now() - startedMs) / 1000)
      cpu.push((user + system) / 1e6)
      virtualSeconds = run.seconds
      boundSeconds = planOf(run).boundSeconds
    }
    const [firstSeconds = 0, ...others] = seconds
    const realSeconds = spreadOf(others)
    const cpuSeconds = spreadOf(cpu.slice(1))
    const ratio = virtualSeconds / boundSeconds
    results.push({
      name,
      firstSeconds,
      realSeconds,
      cpuSeconds,
      virtualSeconds,
      boundSeconds,
      ratio,
    })
    const goal =
      options.accounts === 'fresh'
        ? `; the goal of ${GOAL_SECONDS} s is ${realSeconds.median < GOAL_SECONDS ? 'reached' : 'not reached'}`
        : ''
    console.log(`The suite with ${name}
  virtual time   ${virtualSeconds.toFixed(1)} s of at most ${boundSeconds.toFixed(1)} s by the plan: ${ratio.toFixed(2)}
  real time      ${firstSeconds.toFixed(2)} s the first time, then ${showSpread(realSeconds, 2)} s${goal}
  CPU time       ${showSpread(cpuSeconds, 2)} s`)
  }
  return results
}
