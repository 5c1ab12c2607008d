/** Imports nothing, so that help appears at once. */
export const VERIFY_HELP = `Looks at a target in seconds and says what it is ready for. Sends at most 39 harmless requests; buys nothing, needs no k6.

Usage: npm run verify -- --base-url URL [options]
       npm run verify -- --target FILE [options]

  --target FILE, --base-url URL, --client-cert FILE --client-key FILE, --ipv4, --ipv6: as for every command
  --key ROLE      looks at the keys of this role (or of this variable) and says nothing of the rest; repeated for several
  --bundle FILE   write what was seen, redacted, into an archive for support (FILE.tar.gz); its contents are listed first
  --json          the same as JSON on standard output
  -h, --help

Looked at, each pass, warn, fail or not tried, with what to do: configuration, DNS, TCP, proxy, TLS, clock, interface, whoami,
each key, limits, what is left of them, catalog, products and prices of the file, orders, gift feature.

Exit codes
  0 nothing failed    2 usage or configuration, nothing sent    3 the environment is not ready    4 a fault of the harness

Examples
  ORDERING_KEY=… npm run verify -- --base-url https://sandbox.example
  npm run verify -- --target staging.target.json --bundle support.tar.gz
`
