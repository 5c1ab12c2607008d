/** The options of the commands for whoever works on the harness. */
import { UNDER_LOAD } from '../harness/gate/pages.ts'
import { flag, text, textOr, type Page } from '../harness/help-page.ts'
import { RACE_NAMES } from '../test/support/races.ts'

export const FAULTS_PAGE = {
  command: 'faults',
  what: 'Runs the whole suite against the reference service once per fault, in virtual time, and prints what turned red.',
  groups: [
    {
      title: 'Options',
      options: {
        only: text('A,B', 'faults to run', 'all'),
        write: flag('store what turned red in test/faults/matrix.json'),
        compare: flag('exit 1 when what turned red differs from test/faults/matrix.json'),
      },
    },
  ],
  examples: `
npm run faults
npm run faults -- --only window-sliding-log
npm run faults -- --compare                  as CI does`,
} as const satisfies Page

export const LOAD_FAULTS_PAGE = {
  command: 'load:faults',
  what: 'Runs every load scenario against the reference service once per fault, in virtual time and without k6, and prints what it finds.',
  groups: [
    {
      title: 'Options',
      options: {
        only: text('A,B', 'faults to run', 'all that load is about'),
        write: flag('store what was found in test/load/load-faults.json and docs/load-faults.md'),
        compare: flag('exit 1 when what was found differs from what is stored'),
      },
    },
  ],
  examples: `
npm run load:faults -- --only contention-lingers
npm run load:faults -- --compare`,
} as const satisfies Page

export const FALSE_ALARMS_PAGE = {
  command: 'false-alarms',
  what: `
Runs the whole suite against the clean reference service and against each of its conforming variants, in virtual time. Windows last 2 and 60 s. They start by the epoch, by the service, by the first request or by each counter for itself, and are met at any moment. Each way takes up to 80 ms. Whatever turns red is a false alarm. Variants that decide fewer checks than the clean service are listed where that ran too.`,
  groups: [
    {
      title: 'Options',
      options: {
        runs: textOr('N', 'runs of each service, numbered from 0', 50),
        only: text(
          'A,B+C',
          'services: clean, a variant, or variants at once (npm run serve -- --list-variants)',
          'all',
        ),
        'file-keys': flag(
          'all checks share the keys of a target file, one of each role, without a control side; what such keys cannot decide is not counted as undecided',
        ),
        together: flag(
          'in each round every variant is once in a group of up to 16 that one service has at once; the groups are drawn anew for each round',
        ),
        from: textOr(
          'N',
          'number of the first run, so that a series can be split over machines or continued: --from 25 --runs 50',
          0,
        ),
        run: text('N', 'one run only, by its number'),
        ...UNDER_LOAD,
        json: text('FILE', 'write every run that was not all green, and the sums, to FILE'),
      },
    },
  ],
  exits: `
0 no false alarm, everything decided      1 a false alarm
2 usage                                   6 a check stayed undecided
129/130/143 interrupted: the sums of the runs until then are printed`,
} as const satisfies Page

export const RACES_PAGE = {
  command: 'races',
  what: `
Starts the reference service on a real socket: clean, with each legal choice of what contends, and with each fault that shows only where requests overlap. Carries out the checks of races in another thread, as a run does. Again and again, each time from the start.`,
  groups: [
    {
      title: 'Options',
      options: {
        runs: textOr('N', 'runs of each service', 20),
        only: text('A,B', `services: ${RACE_NAMES.join(', ')}`, 'all'),
        busy: textOr('N', 'threads that keep the machine busy meanwhile', 0),
        'window-seconds': textOr(
          'S',
          'length of the windows; at 60 no check has to wait for room',
          60,
        ),
      },
    },
  ],
  exits: `
0 every race found, nobody blamed who conforms    1 a race was missed, or a conforming service blamed
2 usage                                           6 a check stayed undecided`,
} as const satisfies Page

export const FLAKES_PAGE = {
  command: 'flakes',
  what: `
Repeats the test files that a slow or busy machine can turn red: those that use real time, sockets, processes, threads or k6.
Tests in virtual time are left out: what else the machine does cannot change them.`,
  groups: [
    {
      title: 'Options',
      options: {
        runs: textOr('N', 'repetitions of all of them', 20),
        busy: textOr('N', 'threads that keep the machine busy meanwhile', 2),
        minutes: textOr('N', 'start no repetition after so many minutes', 'Infinity'),
        only: text('TEXT', 'only files whose path contains this'),
        list: flag('print the files and end'),
      },
    },
  ],
  exits: '0 no test failed    1 a test failed at least once    2 usage',
} as const satisfies Page

export const MEASURE_PAGE = {
  command: 'measure',
  what: `
Runs the suite against the reference service in virtual time, with an account for each check and with one for all. Counts the requests, orders and units of each check for conformance/costs.json, from which npm run plan reckons.`,
  groups: [{ title: 'Options', options: { write: flag('store what was counted') } }],
  notes:
    'Without --write it says which checks cost something else than is stored, and exits with 1.',
} as const satisfies Page

export const SAMPLES_PAGE = {
  command: 'samples',
  what: 'Makes the runs under reports/samples/ again, each by the command line that anybody would use; it takes about five minutes.',
  groups: [],
  exits: '0 each run ended as it must    1 one did not    2 usage',
} as const satisfies Page

export const PROBES_PAGE = {
  command: 'probes',
  what: 'Carries out the hundred probes: hostile servers, broken environments, interruptions. Each ends as its row or its test says.',
  groups: [],
  exits: '0 all end as they have to    1 one does not',
} as const satisfies Page

/** What each image is called. */
export const TAGS = { reference: 'ordering-reference', harness: 'ordering-harness' } as const
export const BASE = 'node:24-slim'
export const LOCAL_BASE = 'local'

export const IMAGE_PAGE = {
  command: 'image',
  what: `Builds a container image of the reference service, which npm run gate -- --image ${TAGS.reference} judges, or of the harness.`,
  groups: [
    {
      title: 'Options',
      options: {
        of: textOr(
          'WHAT',
          'reference, or harness: the harness with k6, to judge from inside a container network',
          'reference',
        ),
        tag: text('NAME', 'name of the image', Object.values(TAGS).join(' or ')),
        base: text(
          'IMAGE',
          `what it is built upon; where that cannot be pulled, a base made of this machine's Node and its libraries; "${LOCAL_BASE}" makes that base without asking a registry`,
          BASE,
        ),
      },
    },
  ],
  examples: `
npm run image && npm run gate -- --image ${TAGS.reference}
npm run image -- --of harness
docker run --rm --read-only --tmpfs /tmp --user "$(id -u)" --volume "$PWD:/work" \\
  --network my-network --env ORDERING_KEY ${TAGS.harness} gate --base-url http://my-service:8080`,
} as const satisfies Page

/** What `npm run bench` can measure. */
export const BENCHES = {
  cpu: 'CPU time per request of the reference service beside a bare node:http server that answers the same bytes',
  client:
    'requests per CPU second of our client beside bare undici.request: 20 in flight, same server',
  gate: 'CPU, memory and start of the conformance suite, beside a bare loop that sends its exchanges again',
  import: 'time and memory of importing and judging load evidence',
  evidence: 'client CPU per request of k6, with and without our evidence',
} as const

export const BENCH_PAGE = {
  command: 'bench',
  words: '[ENTRY …]',
  what: 'Measures what the reference service, the client, the suite and the evidence of load cost.',
  about: `
Entries (all of them, if none is named)
${Object.entries(BENCHES)
  .map(([name, says]) => `  ${name.padEnd(10)} ${says}`)
  .join('\n')}`,
  groups: [
    {
      title: 'Options',
      options: {
        repeats: textOr(
          'N',
          'measurements of cpu, client, gate and evidence, besides one that warms up',
          7,
        ),
        requests: textOr('N', 'requests of one measurement of cpu, client or evidence', 20_000),
        connections: textOr('N', 'connections of cpu', 16),
        exchanges: textOr('N', 'exchanges of import', 1_000_000),
        json: text('FILE', 'write the figures to FILE'),
      },
    },
  ],
} as const satisfies Page

export const DEVELOPER_PAGES: readonly Page[] = [
  FAULTS_PAGE,
  LOAD_FAULTS_PAGE,
  FALSE_ALARMS_PAGE,
  RACES_PAGE,
  FLAKES_PAGE,
  MEASURE_PAGE,
  IMAGE_PAGE,
  BENCH_PAGE,
]
