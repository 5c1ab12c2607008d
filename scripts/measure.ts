/** `npm run measure`: counts what every check sends and buys, for the plan of later runs. */
import { isDeepStrictEqual } from 'node:util'
import { readPage } from '../harness/command-line.ts'
import { measureCosts } from '../test/support/measured-costs.ts'
import { readCosts, writeCosts } from '../test/support/stored-costs.ts'
import { command } from './command.ts'
import { MEASURE_PAGE } from './developer-pages.ts'

await command(MEASURE_PAGE, async ({ argv }) => {
  const { values } = readPage(MEASURE_PAGE, argv)
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
