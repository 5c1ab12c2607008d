/** `npm run measure`: counts what every check sends and buys, for the plan of later runs. */
import { isDeepStrictEqual } from 'node:util'
import { readArguments } from '../harness/command-line.ts'
import { measureCosts } from '../test/support/measured-costs.ts'
import { readCosts, writeCosts } from '../test/support/stored-costs.ts'
import { command } from './command.ts'

const HELP = `Runs the suite against the reference service in virtual time, with an account for each check and with one for all, and
counts the requests, orders and units of each check: conformance/costs.json, from which npm run plan reckons.

Usage: npm run measure -- [options]
  --write        store what was counted
  -h, --help

Without --write it says which checks cost something else than is stored, and exits with 1.
`

await command(HELP, async ({ argv }) => {
  const options = { write: { type: 'boolean', default: false } } as const
  const { values } = readArguments({ args: [...argv], options })
  const table = await measureCosts()
  if (values.write) {
    writeCosts(table)
    console.log(`Stored what ${Object.keys(table.checks).length} checks cost.`)
    return 0
  }
  const stored = readCosts()
  const ids = new Set([...Object.keys(stored.checks), ...Object.keys(table.checks)])
  const changed = [...ids].filter((id) => !isDeepStrictEqual(stored.checks[id], table.checks[id]))
  console.log(
    changed.length === 0
      ? `${ids.size} checks cost what is stored.`
      : `${changed.length} of ${ids.size} checks cost something else than is stored (npm run measure -- --write): ${changed.join(', ')}`,
  )
  return changed.length > 0 ? 1 : 0
})
