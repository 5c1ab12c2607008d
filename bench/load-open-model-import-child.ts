/** Imports and judges the evidence of the open model, and tells what that took. The peak of memory is that of the whole process. */
import { VirtualClock } from '../test/support/virtual-clock.ts'
import { importOpenModel } from '../harness/load/open-model/import.ts'
import { clientPlansOf, planOpenModel } from '../harness/load/open-model/plan.ts'
import type { OpenModelContext } from '../harness/load/open-model/context.ts'
import { openModelResult } from '../harness/load/open-model/result.ts'
import { OPEN_MODELS } from '../harness/load/open-model/scenarios.ts'
import { effectiveLimits } from '../harness/quota/effective-limits.ts'
import { embedInProcess } from '../test/support/in-process.ts'
import { tellImport } from './import-in-child.ts'
import { OPEN_MODEL_KEYS, OPEN_MODEL_LIMIT } from './load-open-model-import.ts'
import type { OpenModelImportJob } from './load-open-model-import.ts'

const job = JSON.parse(process.argv[2] ?? '{}') as OpenModelImportJob
const { file, scenario, sessions, seconds } = job

const clock = new VirtualClock()
const { target } = embedInProcess({ faults: [], windowSeconds: 60, clock })
const limits = effectiveLimits({
  ...target,
  limits: {
    default: OPEN_MODEL_LIMIT,
    // A single endpoint is judged by a limit of its own alone.
    'operations.listServices': OPEN_MODEL_LIMIT,
    'orders.filtered': OPEN_MODEL_LIMIT,
  },
})
const context: OpenModelContext = {
  target,
  limits,
  accounts: {
    fresh: true,
    roles: ['full'],
    open: () => Promise.reject(new Error('There are no keys.')),
    make: () => Promise.resolve([]),
  },
}
const { mix } = OPEN_MODELS[scenario]
const parts = clientPlansOf(mix, target)
if ('lacks' in parts) throw new Error(parts.lacks)
const perSecond = sessions / seconds
const stages = [{ seconds, fromPerSecond: perSecond, toPerSecond: perSecond }]
const keys = Array.from({ length: OPEN_MODEL_KEYS }, (_, account) => ({
  role: 'full' as const,
  env: 'KEY',
  secret: `secret ${account}`,
  account: String(account),
}))
const spec = { scenario, workload: 'soak', stages, mix, keys }
const plan = {
  ...planOpenModel(context, spec, parts),
  caps: keys.map(() => ({ headroom: 'none' as const })),
}

await tellImport(
  () =>
    importOpenModel(file, {
      sessions: plan.file.sessions,
      keys: keys.length,
      interrupted: false,
    }),
  (evidence) =>
    openModelResult(
      plan,
      { evidence, exitCode: 0, thresholdsCrossed: [], clockStepMs: 0, durationSeconds: seconds },
      { k6Version: 'none', judgement: OPEN_MODELS[scenario].judge(evidence, plan, context) },
    ),
)
