/** Enforces what no linter knows: see `complaintsAbout`. */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { endSoon } from './end-soon.ts'
import { complaintsAbout } from './tidy-rules.ts'

const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'])
  .toString()
  .split('\0')
  // Git lists files that were removed until the removal is staged.
  .filter((file) => /\.(ts|json|md|html|sh|yml)$|^\.ci\/run$/.test(file) && existsSync(file))

const complaints = files.flatMap((file) => complaintsAbout(file, readFileSync(file, 'utf8')))
for (const complaint of complaints) console.log(complaint)
if (complaints.length > 0) process.exitCode = 1
endSoon()
