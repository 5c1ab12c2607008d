/** `npm run check`: no package that runs beside a target has a known weakness of high severity, as far as the registry tells. */
import { execFile } from 'node:child_process'
import { endSoon } from './end-soon.ts'

type Report = {
  readonly metadata?: {
    readonly vulnerabilities?: { readonly high?: number; readonly critical?: number }
  }
  readonly vulnerabilities?: Readonly<Record<string, { readonly severity?: string }>>
}

/** A registry that is slow, or not there, is no reason to wait. */
const TIMEOUT_MS = 10_000

/** npm ends with 1 where it found something and where it could not look: only its report tells which. */
function audit(): Promise<Report> {
  return new Promise((resolve) => {
    const parameters = ['audit', '--omit=dev', '--audit-level=high', '--json', '--fetch-retries=0']
    execFile('npm', parameters, { timeout: TIMEOUT_MS }, (_, stdout) => {
      try {
        resolve(JSON.parse(stdout) as Report)
      } catch {
        resolve({})
      }
    })
  })
}

const { metadata, vulnerabilities = {} } = await audit()
const counts = metadata?.vulnerabilities
if (!counts) console.log('not looked at: the registry answers no audit')
else if ((counts.high ?? 0) + (counts.critical ?? 0) > 0) {
  for (const [name, { severity }] of Object.entries(vulnerabilities))
    console.log(`${name}: ${severity ?? 'unknown'}`)
  console.log('Run npm audit, and raise the version of what it names.')
  process.exitCode = 1
}
endSoon()
