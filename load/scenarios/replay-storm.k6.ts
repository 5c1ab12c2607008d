/** First-time copies of purchases and replays in flight; then the orders of each reference are counted. */
import { writeSummary } from '../workload/summary.ts'
import { volleyScenario } from '../workload/bursts.ts'

const scenario = volleyScenario('replay-storm')

export const options = scenario.options
export const setup = scenario.setup
export const runVolleys = scenario.runVolleys
export const handleSummary = writeSummary
