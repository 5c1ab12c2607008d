import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { K6_LOG } from '../evidence/k6-log.ts'

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
