import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'

/** Beside the record, where k6 did not end as it has to. */
export const K6_LOG = 'k6.log'

export const LOOK_AT_K6 = `Nothing was concluded from this scenario. What k6 said lies in ${K6_LOG} beside the record; of a prepared run, where k6 was started.`

/** The end says why it ended. */
const LOG_LETTERS_MAX = 200_000

/** What every k6 process of a run said, without its keys. */
export async function readK6Logs(runDir: string): Promise<string> {
  const names = (await readdir(runDir)).filter((name) => name.endsWith(K6_LOG)).toSorted()
  const logs = names.map(async (name) => {
    const text = await readFile(path.join(runDir, name), 'utf8')
    return `== ${name} ==\n${text.slice(-LOG_LETTERS_MAX).trimEnd() || '(k6 said nothing)'}\n`
  })
  return (await Promise.all(logs)).join('\n')
}
