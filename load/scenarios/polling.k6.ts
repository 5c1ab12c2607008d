/** Clients buy, read their orders as they are told until they are final, and replay some purchases. */
import { arrivalsScenario } from '../workload/open-model.ts'
import { writeSummary } from '../workload/summary.ts'

const scenario = arrivalsScenario('polling')

export const options = scenario.options
export const setup = scenario.setup
export const runSession = scenario.runSession
export const handleSummary = writeSummary
