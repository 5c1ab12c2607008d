/** Imports and judges one file of evidence, and tells what that took. The peak of memory is that of the whole process. */
import { importEvidence } from '../harness/load/rate-limits/import.ts'
import { judgeLoad } from '../harness/load/rate-limits/judge.ts'
import { planLoad } from '../harness/load/rate-limits/plan.ts'
import { tellImport } from './import-in-child.ts'
import { IMPORT_LIMIT } from './load-import.ts'

const [file = '', streamsText] = process.argv.slice(2)
const streams = Number(streamsText)

const plan = planLoad(
  'rate-limit-windows',
  { baseUrl: 'http://127.0.0.1:1', timing: 'strict' },
  Array.from({ length: streams }, (_, stream) => ({
    name: `services of account ${stream}`,
    bucket: 'default',
    partition: `account ${stream} services`,
    limit: IMPORT_LIMIT,
    method: 'GET',
    path: '/api/v1/services',
    keys: [{ role: 'full', env: 'KEY', secret: 'secret', account: String(stream) }],
  })),
)
await tellImport(
  () => importEvidence(file, { streams, interrupted: false }),
  (evidence) =>
    judgeLoad(
      plan,
      { evidence, exitCode: 0, thresholdsCrossed: [], clockStepMs: 0, durationSeconds: 1 },
      'none',
    ),
)
