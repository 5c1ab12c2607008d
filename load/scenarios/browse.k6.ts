/** Clients page through the catalog and look items up; they arrive whether or not earlier ones are done. */
import { arrivalsScenario } from '../workload/open-model.ts'
import { writeSummary } from '../workload/summary.ts'

const scenario = arrivalsScenario('browse')

export const options = scenario.options
export const setup = scenario.setup
export const runSession = scenario.runSession
export const handleSummary = writeSummary
