/** `npm run measure`: counts what every check sends and buys, for the plan of later runs. */
import { isDeepStrictEqual, parseArgs } from 'node:util'
import { measureCosts } from '../test/support/measured-costs.ts'
import { readCosts, writeCosts } from '../test/support/stored-costs.ts'

const HELP = `Runs the suite against the reference service in virtual time, with an account for each check and with one for all, and
counts the requests, orders and units of each check: conformance/costs.json, from which npm run plan reckons.

Usage: npm run measure -- [options]
  --write        store what was counted
  -h, --help

Without --write it says which checks cost something else than is stored, and exits with 1.
`

const { values } = parseArgs({
  options: {
    write: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
})

if (values.help) console.log(HELP)
else await main()

async function main(): Promise<void> {
  const table = await measureCosts()
  if (values.write) {
    writeCosts(table)
    console.log(`Stored what ${Object.keys(table.checks).length} checks cost.`)
    return
  }
  const stored = readCosts()
  const ids = new Set([...Object.keys(stored.checks), ...Object.keys(table.checks)])
  const changed = [...ids].filter((id) => !isDeepStrictEqual(stored.checks[id], table.checks[id]))
  console.log(
    changed.length === 0
      ? `${ids.size} checks cost what is stored.`
      : `${changed.length} of ${ids.size} checks cost something else than is stored (npm run measure -- --write): ${changed.join(', ')}`,
  )
  if (changed.length > 0) process.exitCode = 1
}
