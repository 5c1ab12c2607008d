/** Clients buy carts of several orders at the same moment, replay some, and read all of their orders. */
import { arrivalsScenario } from '../workload/open-model.ts'
import { writeSummary } from '../workload/summary.ts'

const scenario = arrivalsScenario('checkout')

export const options = scenario.options
export const setup = scenario.setup
export const runSession = scenario.runSession
export const handleSummary = writeSummary
