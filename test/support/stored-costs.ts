import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { CostTable } from '../../harness/plan/costs.ts'

const FILE = path.join(import.meta.dirname, '..', '..', 'conformance', 'costs.json')

export function readCosts(): CostTable {
  return JSON.parse(readFileSync(FILE, 'utf8')) as CostTable
}

/** A line for each check, so that a change shows as one. */
export function writeCosts({ budgets, checks }: CostTable): void {
  const lines = Object.entries(checks).map(
    ([id, costs]) => `    ${JSON.stringify(id)}: ${JSON.stringify(costs)}`,
  )
  writeFileSync(
    FILE,
    `{\n  "budgets": ${JSON.stringify(budgets)},\n  "checks": {\n${lines.join(',\n')}\n  }\n}\n`,
  )
}
