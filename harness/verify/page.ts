import { flag, text, texts, type Page } from '../help-page.ts'
import { TARGET } from '../target-file/options.ts'

export const VERIFY_PAGE = {
  command: 'verify',
  words: '--base-url URL',
  what: 'Looks at a target in seconds and says what it is ready for. Sends at most 39 harmless requests; buys nothing, needs no k6.',
  groups: [
    {
      title: 'What to look at, and what to write',
      options: {
        key: texts('ROLE', 'only the keys of this role (or of this variable), and nothing else'),
        bundle: text(
          'FILE',
          'write what was seen, redacted, into an archive for support (FILE.tar.gz); its contents are listed first',
        ),
        json: flag('the result as JSON on standard output'),
      },
    },
    TARGET,
  ],
  notes: `
It prints pass, warn, fail or not tried for each of these, and what to do:
  the way: configuration, DNS, TCP, proxy, TLS, clock
  the service: interface, whoami, each key, limits, what is left of them, catalog, orders, gift feature
  the file: its products and prices`,
  exits:
    '0 nothing failed    2 usage or configuration, nothing sent    3 the environment is not ready    4 a fault of the harness',
  examples: `
ORDERING_KEY=… npm run verify -- --base-url https://sandbox.example
npm run verify -- --target staging.target.json --bundle support.tar.gz`,
} as const satisfies Page
