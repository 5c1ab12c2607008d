/** Background traffic of other accounts, while the checks run (--under-load). */
import { arrivalsScenario } from '../workload/open-model.ts'
import { writeSummary } from '../workload/summary.ts'

const scenario = arrivalsScenario('under-load')

export const options = scenario.options
export const setup = scenario.setup
export const runSession = scenario.runSession
export const handleSummary = writeSummary
