export const REPLAY_HELP = `Sends the exchanges of one finding again, and shows what was recorded beside what is answered now.

Usage: npm run replay -- RUN CHECK [options]

  RUN                   run.json of a run, or its directory
  CHECK                 a check or a requirement that failed in it
  --base-url URL        send to another address than the recorded one
  --allow-purchases     send requests that may create orders, too
  --json                the answers as JSON on standard output
  -h, --help

Keys come from the environment variables that the recorded curl lines name. A purchase is sent with its old referenceId: a service that
keeps the interface answers with the old order.

Exit codes
  0 the offending exchange is answered otherwise now
  1 it is answered as recorded
  2 usage, or a key is missing; nothing was sent
  3 the target does not answer

Examples
  npm run replay -- reports/latest AUTH-03
  npm run replay -- run.json auth.revoked-key --base-url https://staging.example
`
