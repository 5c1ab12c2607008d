/** `npm test`: the project's own tests; arguments are passed on to vitest. Ends with `N passed, N failed`, alone on its line. */
import path from 'node:path'
import { parseCLI, startVitest, type Reporter, type TestModule } from 'vitest/node'
import { endSoon } from './end-soon.ts'

if (process.argv.slice(2).some((each) => each === '--help' || each === '-h')) {
  console.log(
    'npm test -- PATH … runs the tests below these paths; without a path, all of them. Other options are those of vitest: npx vitest --help.',
  )
  process.exit()
}

const counts = { passed: 0, failed: 0, skipped: 0 }

/** Why tests were skipped, and how many for that reason. */
const skips = new Map<string, number>()

function noteSkipped(reason: string): void {
  skips.set(reason, (skips.get(reason) ?? 0) + 1)
}

/** A file that could not be loaded is a failure too, or it would vanish from the sum. */
function count(module: TestModule): void {
  if (module.errors().length > 0) counts.failed += 1
  for (const test of module.children.allTests()) {
    const result = test.result()
    if (result.state === 'pending') continue
    counts[result.state] += 1
    if (result.state === 'skipped') noteSkipped(result.note ?? 'no reason given')
  }
}

const summary: Reporter = {
  onTestRunEnd: (modules, unhandledErrors) => {
    for (const module of modules) count(module)
    counts.failed += unhandledErrors.length
  },
}

const { filter, options } = parseCLI(['vitest', 'run', ...process.argv.slice(2)])
const vitest = await startVitest('test', filter, {
  ...options,
  root: path.dirname(import.meta.dirname),
  watch: false,
  reporters: ['default', summary],
})
await vitest.close()
if (counts.passed + counts.failed === 0) {
  console.error('No test ran: check the filter.')
  process.exitCode = 1
}
for (const [reason, tests] of skips) console.log(`${tests} skipped: ${reason}`)
const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : ''
console.log(`${counts.passed} passed, ${counts.failed} failed${skipped}`)
if (counts.failed > 0) process.exitCode = 1
endSoon()
