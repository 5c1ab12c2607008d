/** Many workers buy on one capped key, and on several, at once; then what is left of each cap is bought to the last unit. */
import { writeSummary } from '../workload/summary.ts'
import { volleyScenario } from '../workload/bursts.ts'

const scenario = volleyScenario('spend-contention')

export const options = scenario.options
export const setup = scenario.setup
export const runVolleys = scenario.runVolleys
export const handleSummary = writeSummary
