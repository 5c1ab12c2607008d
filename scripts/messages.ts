/**
 * Prints the sentences that users read, out of the sources: `node scripts/messages.ts [--comments] [FOLDER ...]`.
 * Places of values are shown as `{expression}`.
 */
import { messagesIn, sourceFiles } from './messages/read.ts'

const argv = process.argv.slice(2)
const kind = argv.includes('--comments') ? 'comment' : 'message'
const folders = argv.filter((each) => !each.startsWith('--'))

for (const file of sourceFiles(folders)) {
  const found = messagesIn(file).filter((each) => each.kind === kind)
  if (found.length > 0) console.log(`\n${file}`)
  for (const { line, text } of found) console.log(`  ${line}: ${text.replaceAll(/\s+/g, ' ')}`)
}
