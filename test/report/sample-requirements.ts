/** The requirements of some areas, for sample records, in the shape of the record. */
import { REQUIREMENTS } from '../../contract/requirements/index.ts'
import type { RunRecord } from '../../schemas/generated/run-record.ts'

type SampleRequirement = Omit<RunRecord['requirements'][number], 'verdict' | 'checks' | 'reason'>

export const SAMPLE_REQUIREMENTS: readonly SampleRequirement[] = REQUIREMENTS.filter(
  ({ id, excluded }) => excluded === undefined && /^(?:ENV|IDEM|GET|RATE|CAP|BUSY)-/.test(id),
).map(({ id, section, source, level, capability, text }) => ({
  id,
  section,
  source: [...source],
  level,
  capability,
  text,
}))
