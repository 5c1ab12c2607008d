/** Many clients browse, some buy and poll, a few check carts out. */
import { arrivalsScenario } from '../workload/open-model.ts'
import { writeSummary } from '../workload/summary.ts'

const scenario = arrivalsScenario('mixed')

export const options = scenario.options
export const setup = scenario.setup
export const runSession = scenario.runSession
export const handleSummary = writeSummary
