import type { RunOptions } from '../harness/gate/options.ts'
import { PROFILES } from '../harness/gate/profiles.ts'
import { WORKLOADS } from '../harness/load/open-model/workloads.ts'

/** What understands the options of a run. */
type Command = RunOptions['command'] | 'plan'

const WHAT: Readonly<Record<Command, string>> = {
  gate: 'Carries out every check and load scenario against a target and says whether it may be released.',
  conformance:
    'Carries out the conformance checks alone: without k6, unless --under-load asks for it.',
  load: 'Runs the load scenarios alone, with k6.',
  plan: 'Prints what a run with the same options would send, buy and take, and refuses what does not fit. Sends the read-only preflight alone.',
}

const EXAMPLES: Readonly<Record<Command, readonly string[]>> = {
  gate: [
    'npm run gate                                        the embedded reference service, windows shortened',
    'ORDERING_KEY=… npm run gate -- --base-url https://sandbox.example',
    'npm run gate -- --target staging.target.json        everything that the interface does not show, from a file',
    'npm run gate -- --image ordering-reference          a container, started for this run',
    'npm run gate -- --under-load mixed:20/s             the checks while 20 clients of other accounts start each second',
    'npm run gate -- --fault window-sliding-log          watch a deliberate defect turn red',
  ],
  conformance: [
    'npm run conformance -- --only limits                one area',
    'npm run conformance -- --only RATE-03,auth.scopes-browser-forms',
    'npm run conformance -- --under-load orders:50/s     the checks while other accounts buy',
    'npm run conformance -- --list                       what there is to select',
  ],
  load: [
    'npm run load                                        every scenario against the embedded service',
    'npm run load -- --scenario mixed --workload steady  a minute of clients that browse, buy and poll',
    'npm run load -- --target staging.target.json --allow-load --max-requests 5000',
    'npm run load -- --prepare prepared --target staging.target.json',
    'npm run load -- --judge prepared                    what k6 wrote was brought back: the verdict',
    'npm run load -- --list',
  ],
  plan: [
    'npm run plan                                        the gate against the embedded service',
    'npm run plan -- --window-seconds 60                 at the windows of the interface',
    'npm run plan -- --target staging.target.json --allow-purchases --max-orders 400 --max-spend USD:500',
    'npm run plan -- --for load --max-seconds 600        every load scenario, no checks',
    'npm run plan -- --scenario spend-contention --max-seconds 120',
    'npm run plan -- --profile read-only --json',
  ],
}

const MANY = `Several processes and machines (docs/many-machines.md; npm run load:k8s for Kubernetes)
  --instances N               k6 processes that share each scenario (1)
  --prepare DIR               write what k6 needs, with a README, instead of running it
  --keys-file FILE            with --prepare: where the keys go, outside of DIR; needed where the target makes them
  --judge DIR                 the verdict on a prepared run, by the evidence that was brought into DIR
  --clock-skew-ms N           with --judge: by how much the clocks of the machines differ at most (100)

`

const BASELINE = `Comparison with an earlier run
  --baseline FILE             run.json to compare with (else the last run of this target, checks alone)
`

const REGRESSION = `                              load needs a run that passed, of the same target, limits, scenarios and workload
  --repeats N                 carry each load scenario out N times (1); a comparison of load needs some of both runs
  --max-regression PERCENT    fail (exit 1) where a figure of load is worse by more, beyond noise; exit 6 where that is not excluded
`

const ARRIVALS = `Clients that arrive (browse, polling, checkout, mixed)
  --workload NAME             ${WORKLOADS.join(', ')}: how they come (smoke)
  --seconds S                 for how long
  --rate N                    sessions per second at the peak; more than the windows admit needs --workload stress
  --think-time T              from the planned moment of a request to that of the session's next one (100ms)
  --goal '[OPERATION ]GOAL'   p99=200ms, p95=1s, max=2s or errors=0.1%, of one operation or all; missed is exit 1,
                              undecided exit 6: a percentile counts with its interval
  --out OUTPUT                k6's own metrics too: opentelemetry, experimental-prometheus-rw, json=FILE, csv=FILE;
                              set up by its own variables K6_OTEL_*, K6_PROMETHEUS_RW_*

`

/** Whether the arguments of a process ask for help, wherever that stands. */
export function asksForHelp(argv: readonly string[]): boolean {
  const options = argv.slice(2)
  const end = options.indexOf('--')
  return options
    .slice(0, end < 0 ? undefined : end)
    .some((word) => word === '--help' || word === '-h')
}

/** The text of --help. */
export function helpOf(command: Command): string {
  return `${WHAT[command]}

Usage: npm run ${command} -- [options]

Target (flag beats environment beats file beats default; none given: the embedded reference service)
  --target FILE               target file, see targets/README.md         (ORDERING_TARGET)
  --base-url URL              where the interface is served              (ORDERING_BASE_URL)
  --image IMAGE               a container image to start and judge; it brings its target file (npm run image builds one)
  --name, --environment sandbox|production, --timing strict|partner, --capability A,B
  --allow-missing-credentials go on without credentials whose variables are not set
  --client-cert FILE --client-key FILE   a certificate to show (PEM)     (ORDERING_CLIENT_CERT, ORDERING_CLIENT_KEY)
  --ipv4, --ipv6              only addresses of this family
  HTTP_PROXY, HTTPS_PROXY, NO_PROXY and NODE_EXTRA_CA_CERTS hold for checks and k6 alike; loopback is never proxied.
  --show-origins              print every value with where it came from, and end
  Keys come from the environment: ORDERING_KEY (role full), ORDERING_KEY_<ROLE>.

Selection (a selector that matches nothing is an error)
  --profile NAME              ${Object.keys(PROFILES).join(', ')}
  --only A,B                  checks, areas, requirements or scenarios
  --last-failed               what was red in the last run of this target under --reports
  --scenario NAME             load scenarios
  --no-load                   leave the load scenarios out
  --under-load WORKLOAD       carry the checks out while other accounts offer load: browse, orders, polling, checkout
                              or mixed, with its clients per second, such as mixed:20/s (docs/under-load.md)
  --list                      print what can be selected, and end
  --known-failures FILE       failures to accept until a date, and severities, as YAML or JSON (docs/ci.md)
  --floor PERCENT             least share of the requirements in scope to be decided (100)

Permission (not needed on loopback or on a declared sandbox)
  --allow-purchases --max-orders N --max-spend CUR:AMOUNT
  --allow-load --max-requests N
  --max-seconds S             refuse a plan that takes longer; load is stopped then (always, where given)

${command === 'plan' ? '' : `${BASELINE}${command === 'conformance' ? '' : REGRESSION}\n`}Embedded service (the image of npm run image obeys --window-seconds too)
  --window-seconds S          length of its windows (2; 60 is the interface's default)
  --fault NAME                switch a deliberate defect on (npm run serve -- --list-faults)

${command === 'load' || command === 'plan' ? ARRIVALS : ''}${command === 'load' ? MANY : ''}${command === 'plan' ? '  --for COMMAND               the run to plan: gate (default), conformance or load\n  --json                      the plan as JSON\n' : ''}  --reports DIR               where runs are written (reports); latest in it leads to the newest
  --run-dir DIR               where this run is written, whatever comes of it; an earlier run in it is removed
  --json                      print the verdict as JSON instead of words (reports/README.md)
  --label NAME=VALUE,…        what the run is about: service=orders,commit=4f2a91c
  -h, --help

Exit codes
  0 everything in scope decided and passed      1 the target failed
  2 usage or configuration, nothing sent        3 the environment is not ready
  4 a fault of the harness                      5 too little was verified
  6 inconclusive                                130/143 interrupted, partial record written

Examples
${EXAMPLES[command].map((example) => `  ${example}`).join('\n')}
`
}
