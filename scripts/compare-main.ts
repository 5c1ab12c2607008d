/** What `npm run compare` prints, and the exit code that it ends with. */
import { sideBySide } from '../harness/baseline/runs.ts'
import { readPage, requireRuns } from '../harness/command-line.ts'
import { readRecord } from '../harness/record/read.ts'
import { renderComparison } from '../harness/report/compare-console.ts'
import { COMPARE_PAGE } from './pages.ts'

export async function compare(
  args: readonly string[],
  out: Pick<NodeJS.WriteStream, 'write'>,
): Promise<number> {
  const { values, positionals } = readPage(COMPARE_PAGE, args)
  requireRuns(positionals, 2, 'Name the earlier run first: npm run compare -- BEFORE NOW.')
  const [earlier = '', later = ''] = positionals
  const [before, now] = [await readRecord(earlier), await readRecord(later)]
  const compared = sideBySide(before, now)
  const runs = { before: before.runId, now: now.runId }
  out.write(
    values.json
      ? `${JSON.stringify({ runs, ...compared }, undefined, 2)}\n`
      : renderComparison({ before, now, ...compared }),
  )
  return compared.comparison.requirements?.newlyBroken.length ? 1 : 0
}
