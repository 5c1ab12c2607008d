/** Many readers spend the unhide budgets of several orders at once: pending, completed and admission. */
import { writeSummary } from '../workload/summary.ts'
import { volleyScenario } from '../workload/bursts.ts'

const scenario = volleyScenario('unhide-budgets')

export const options = scenario.options
export const setup = scenario.setup
export const runVolleys = scenario.runVolleys
export const handleSummary = writeSummary
