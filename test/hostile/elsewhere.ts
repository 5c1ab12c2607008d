/** Probes of the hundred that other tests hold: by file and by title, as the file has it. */
export const ELSEWHERE: Readonly<Record<string, Readonly<Record<string, readonly number[]>>>> = {
  'test/verdict/configuration.test.ts': { 'a variable that is not set': [14] },
  'test/verdict/environment.test.ts': {
    'a server that %s is given up, with progress': [23],
    'a server that is killed half-way: what was measured is recorded': [50],
    'no k6: the sentence says how to install it, and the checks stay': [62],
  },
  'test/hostile/any-answer.test.ts': {
    'any JSON in any place of any answer breaks no check': [32],
  },
  'test/report/sample-record.test.ts': { 'the %s sample is a run record by its schema': [45] },
  'test/verdict/baseline.test.ts': {
    'a run %s is refused': [68, 72],
    'too few repeats are told, and are inconclusive where a bound was asked for': [69],
    'a baseline that measured none of it leaves a bound open: 6, with the reason': [70, 71],
  },
  'harness/load/k6/collect.test.ts': {
    'doubts a run of which a part is missing, or that did not start together': [66],
    'is refused %s': [67],
  },
  'test/verify/ways.test.ts': {
    'a certificate that is not trusted: %s': [53],
    'a certificate for another host': [53],
    'plain HTTP where TLS is expected': [53],
  },
  'harness/gate/open-target.test.ts': {
    '%s with NODE_TLS_REJECT_UNAUTHORIZED=%s: %i hazards': [54],
  },
  'reference/server.test.ts': { 'the control side refuses': [99] },
  'test/verdict/purchases.test.ts': {
    'without permission no POST reaches the orders': [77],
    'never more orders than permitted, with %s': [78, 81, 82],
    'never more money than permitted': [79],
    'load needs a permission of its own': [83],
  },
  'test/verdict/spend-bound.test.ts': {
    'a price above what was reckoned with ends purchases at the first order': [80],
  },
  'test/verdict/interruption.test.ts': {
    '%s during conformance: %i': [84],
    '%s during load: %i': [84],
    'answers a signal while its modules are loaded': [85],
    'is gone with its folder after %s': [86, 88],
    'are ended at once after two signals: nothing more is written': [87],
  },
  'harness/gate/last-failed.test.ts': {
    'what was red in the newest run, and what a cause blocked, is selected': [94],
  },
  'test/canary/canary.test.ts': {
    'against a service that echoes what it was sent': [97],
    'against a service that escapes every letter of what it was sent, or tells it in two parts': [
      97,
    ],
  },
  'harness/target-file/select.test.ts': { 'the pattern %s reads a long text once': [100] },
  'test/hostile/whole-suite.test.ts': { '%i: %s': [28, 29, 48, 59] },
  'test/hostile/at-once.test.ts': {
    '89: k6 ends where the harness is killed, long before its plan does, and no key is left on the disk':
      [89],
    '93: two runs at once under one directory leave two records': [93],
    '96: where V8 finds no room it ends before our code begins: not green, and without a record': [
      96,
    ],
  },
  // A 429 made a 200 is an answer that the service could have given: nobody can see that. As such it breaks the limit, which is red.
  'harness/load/rate-limits/judge.test.ts': { 'one too many': [75] },
}

const OTHER_FOLDERS = Object.entries(ELSEWHERE).filter(
  ([file]) => !file.startsWith('test/hostile/'),
)

/** The files in other folders, and what finds their tests alone. */
export const OTHER_FILES = OTHER_FOLDERS.map(([file]) => file)
export const OTHER_TITLES = OTHER_FOLDERS.flatMap(([, titles]) => Object.keys(titles))
  .map((title) =>
    title
      .split(/%[sij]/)
      .map((text) => text.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`))
      .join('.*'),
  )
  .join('|')
