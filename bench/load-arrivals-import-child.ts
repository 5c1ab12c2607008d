/** Imports and judges the evidence of arrivals, and tells what that took. The peak of memory is that of the whole process. */
import { VirtualClock } from '../harness/clock.ts'
import { importArrivals } from '../harness/load/open-model/import.ts'
import { partsOf, planArrivals } from '../harness/load/open-model/plan.ts'
import type { ArrivalsContext } from '../harness/load/open-model/draft.ts'
import { arrivalsResult } from '../harness/load/open-model/result.ts'
import { ARRIVALS } from '../harness/load/open-model/scenarios.ts'
import { effectiveLimits } from '../harness/quota/effective-limits.ts'
import { embedInProcess } from '../harness/test-server/embedded.ts'
import { tellImport } from './import-in-child.ts'
import { ARRIVALS_KEYS, ARRIVALS_LIMIT } from './load-arrivals-import.ts'
import type { ArrivalsImportJob } from './load-arrivals-import.ts'

const job = JSON.parse(process.argv[2] ?? '{}') as ArrivalsImportJob
const { file, scenario, sessions, seconds } = job

const clock = new VirtualClock()
const { target } = embedInProcess({ faults: [], windowSeconds: 60, clock })
const limits = effectiveLimits({
  ...target,
  limits: { default: ARRIVALS_LIMIT, 'orders.filtered': ARRIVALS_LIMIT },
})
const context: ArrivalsContext = {
  target,
  limits,
  accounts: {
    fresh: true,
    roles: ['full'],
    open: () => Promise.reject(new Error('There are no keys.')),
    make: () => Promise.resolve([]),
  },
}
const { mix } = ARRIVALS[scenario]
const parts = partsOf(mix, target)
if ('lacks' in parts) throw new Error(parts.lacks)
const perSecond = sessions / seconds
const stages = [{ seconds, fromPerSecond: perSecond, toPerSecond: perSecond }]
const keys = Array.from({ length: ARRIVALS_KEYS }, (_, account) => ({
  role: 'full' as const,
  env: 'KEY',
  secret: `secret ${account}`,
  account: String(account),
}))
const spec = { scenario, workload: 'soak', stages, mix, keys }
const plan = {
  ...planArrivals(target, limits, spec, parts),
  caps: keys.map(() => ({ headroom: 'none' as const })),
}

await tellImport(
  () =>
    importArrivals(file, {
      sessions: plan.file.sessions,
      keys: keys.length,
      interrupted: false,
    }),
  (evidence) =>
    arrivalsResult(
      plan,
      { evidence, exitCode: 0, thresholdsCrossed: [], clockStepMs: 0, durationSeconds: seconds },
      'none',
      ARRIVALS[scenario].judge(evidence, plan, context),
    ),
)
