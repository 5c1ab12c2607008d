import type { RunOptions } from '../harness/gate/options.ts'
import { PROFILES } from '../harness/gate/profiles.ts'
import { OPEN_MODEL_NAMES } from '../harness/load/open-model/scenarios.ts'
import { UNDER_LOAD_MIXES } from '../harness/load/under-load/workload.ts'
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
    'ORDERING_KEY=… npm run gate -- --base-url https://sandbox.example --environment sandbox',
    'npm run gate -- --target staging.target.json        with what the harness cannot see by itself',
    'npm run gate -- --target live.target.json --allow-purchases --max-orders 100 --max-spend USD:50',
    'npm run gate -- --image ordering-reference          a container, started for this run',
    'npm run gate -- --under-load mixed:20/s             the checks while 20 clients of other accounts start each second',
    'npm run gate -- --only auth --no-load               one area, in seconds; npm run plan says how long a run takes',
    'npm run gate -- --fault window-sliding-log          watch a bug turn red',
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
  --baseline FILE             compare with this run.json; without it, checks are compared with the last run of this target
`

const REGRESSION = `                              to compare load too, FILE must be of a run that passed, with the same limits,
                              scenarios and workload
  --repeats N                 carry each load scenario out N times (1); to compare load, both runs need several
  --max-regression PERCENT    exit 1 if a load figure is clearly worse by more than this; exit 6 if results vary too
                              much to tell. Not given: a worse figure is only reported
`

const ARRIVALS = `Clients that arrive (${OPEN_MODEL_NAMES.join(', ')})
  --workload NAME             ${WORKLOADS.join(', ')}: how they come (smoke)
  --seconds S                 for how long
  --rate N                    requests per second at the peak; more than the windows admit needs --workload stress
  --stages FILE               instead: k6's own stages, JSON such as [{ "duration": "30s", "target": 20 }]; a target is
                              requests per second
  --think-time T              from the planned moment of a request to that of the session's next one (100ms)
  --mix browse=7,buy=2,checkout=1
                              shares of the clients of the scenario mixed, in whole numbers
  --goal '[OPERATION ]GOAL'   p99=200ms, p95=1s, max=2s or errors=0.1%, of one operation or all; missed is exit 1,
                              undecided exit 6: a percentile counts with its interval
  --out OUTPUT                k6's own metrics too: opentelemetry, experimental-prometheus-rw, web-dashboard, json=FILE,
                              csv=FILE; set up by its own variables K6_OTEL_*, K6_PROMETHEUS_RW_*
  --watch-pid PID             draw processors, memory and connections of this process on this machine, with its children
  --tag NAME=VALUE            on k6's own metrics
  --header 'NAME: VALUE'      on every request of k6, but none that the harness sends itself; its value is not recorded

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

Target (without one, the embedded reference service is started and judged)
  If a value is set in several places, the first of these wins: option, variable, target file, default.
  --target FILE               what the harness has to know of the target (targets/README.md)   (ORDERING_TARGET)
  --base-url URL              its address, without /api/v1                                      (ORDERING_BASE_URL)
  --image IMAGE               start this container image and judge it; it brings its target file (npm run image builds one)
  --name NAME                 the target's name in reports
  --environment KIND          sandbox: purchases and load are permitted; production: only with the options under
                              Permission. Not given: this machine (loopback) is a sandbox, any other is production
  --timing KIND               tolerance for late answers and clocks: strict 50 ms, partner 250 ms (partner)
  --capability A,B            optional parts that the target has, such as platform-gift
  --allow-missing-credentials go on without keys whose variables are not set; their checks are untested
  --client-cert FILE --client-key FILE   a certificate to show (PEM)     (ORDERING_CLIENT_CERT, ORDERING_CLIENT_KEY)
  --ipv4, --ipv6              only addresses of this family
  HTTP_PROXY, HTTPS_PROXY, NO_PROXY and NODE_EXTRA_CA_CERTS hold for checks and k6 alike; loopback is never proxied.
  --show-origins              print every value and where it came from, then end
  Keys come from variables: ORDERING_KEY is the key with all scopes; ORDERING_KEY_<ROLE> are those of other roles.

Selection (a name that matches nothing is an error)
  --profile NAME              which part of the work: ${Object.keys(PROFILES).join(', ')}
  --only A,B                  these checks, areas, requirements or scenarios: --only auth,RATE-03,limits.window-listing
  --last-failed               what failed in the last run of this target under --reports
  --scenario NAME             of the load scenarios only these
  --no-load                   no load scenario
  --under-load WORKLOAD:N/s   run the checks while N clients of other accounts start each second (mixed:20/s);
                              WORKLOAD is one of ${Object.keys(UNDER_LOAD_MIXES).join(', ')} (docs/under-load.md)
  --list                      print what can be selected, then end
  --known-failures FILE       a list of failures that you accept until a date; it may also set severities (docs/ci.md)
  --floor PERCENT             least share of the requirements in scope that must be decided, passed or failed (100)

Permission (production needs it; a sandbox needs none, and keeps each bound that you give)
  --allow-purchases --max-orders N --max-spend CUR:AMOUNT      buy, at most so much (USD:20.00); all three are needed
  --allow-load --max-requests N                                use up rate limits; load sends at most N requests
  --max-seconds S             do not start if the plan takes longer; stop load after so many seconds

${command === 'plan' ? '' : `${BASELINE}${command === 'conformance' ? '' : REGRESSION}\n`}Reference service (embedded, or the image that npm run image builds)
  --window-seconds S          how long its rate-limit windows last (default 2; 60 in the interface)
  --fault NAME                embedded only: switch a bug on, to watch it turn red (npm run serve -- --list-faults)

${command === 'load' || command === 'plan' ? ARRIVALS : ''}${command === 'load' ? MANY : ''}${command === 'plan' ? '  --for COMMAND               the run to plan: gate (default), conformance or load\n  --json                      the plan as JSON\n' : ''}Output
  --reports DIR               write runs below DIR (reports); DIR/latest leads to the newest
  --run-dir DIR               write this run into DIR instead; an earlier run in DIR is deleted
  --json                      print the verdict as JSON instead of words (reports/README.md)
  --label NAME=VALUE,…        what the run is of, for the report: service=orders,commit=4f2a91c
  -h, --help

Exit codes (docs/verdicts.md)
  0 everything in scope decided and passed      1 the target failed
  2 usage or configuration, nothing sent        3 the environment is not ready
  4 the harness itself failed                   5 too few requirements could be decided: the report says what to add
  6 inconclusive: noise, try again              130/143 interrupted, partial record written

Examples
${EXAMPLES[command].map((example) => `  ${example}`).join('\n')}
`
}
