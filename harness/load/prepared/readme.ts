import { INSTANCE_ENV } from '../../../load/protocol/instances.ts'
import { PLAN_ENV } from '../../../load/protocol/plan.ts'
import type { PrepareOptions, Prepared, PreparedScenario } from './types.ts'
import { K6_SETTINGS } from '../shared/k6-runtime.ts'
import { segmentArguments } from '../k6/segments.ts'

type ReadmeOptions = Pick<PrepareOptions, 'keysFile'>

/** How a prepared run is carried out with k6 alone and judged, with the exact commands. */
export function readmeOf(prepared: Prepared, options: ReadmeOptions): string {
  const { facts, scenarios, k6Version, preparedAt } = prepared
  const names = scenarios.map(({ name }) => name).join(', ')
  return `# Prepared run of ${names}

For ${facts.target.name} at ${facts.target.baseUrl}, prepared ${preparedAt} for k6 ${k6Version}. No file of this directory holds a key.
It can be carried out once: its references and caps are used up afterwards. Evidence of two runs of one plan is refused.

## 1. Keys

${keysText(prepared, options)}

## 2. Run

In a shell with these keys, in this directory:

\`\`\`sh
export ${assignments(K6_SETTINGS).join(' ')}
\`\`\`

The scenarios one after the other, since they share accounts and windows:

${scenarios.map(scenarioText).join('\n\n')}

k6 ends with 0, or with 99 where a threshold was crossed; the verdict is the judge's alone.

## 3. Judge

Bring all files \`*.evidence.txt\` into this directory, or into a folder \`evidence\` of it. Then, in the checkout of the harness:

\`\`\`sh
npm run load -- --judge DIR
\`\`\`

It writes the record and the reports, and ends with the exit code of the verdict. Evidence of another run is refused; a scenario or an
instance whose evidence is missing is inconclusive. Where the instances ran on several machines, state by how much their clocks differ at
most (\`--clock-skew-ms\`): windows that this leaves open are inconclusive.
`
}

function keysText({ scenarios }: Prepared, { keysFile }: ReadmeOptions): string {
  if (keysFile !== undefined)
    return `They were written to the file that --keys-file named, for this run alone. It is as secret as the keys: delete it afterwards.

\`\`\`sh
set -a; . ${quote(keysFile)}; set +a
\`\`\``
  const lines = scenarios.flatMap(({ keys }) =>
    keys.map(({ env, from }) => `export ${env}="$${from}"`),
  )
  return `k6 finds each key in an environment variable, which is set from the one that the target file names:

\`\`\`sh
${lines.join('\n')}
\`\`\``
}

function scenarioText(scenario: PreparedScenario): string {
  const { name, instances, wallSecondsMax } = scenario
  return `### ${name}, at most ${wallSecondsMax} s

\`\`\`sh
${commandOf(scenario, 0, 1)}
\`\`\`${instances > 1 ? `\n\n${sharedText(scenario)}` : ''}`
}

function sharedText(scenario: PreparedScenario): string {
  const { instances } = scenario
  const commands = Array.from({ length: instances }, (_, index) =>
    commandOf(scenario, index, instances),
  )
  return `Or shared by ${instances} processes, on one machine or on several, with the same start in each shell (up to 50 s ahead):

\`\`\`sh
export ${INSTANCE_ENV.startAt}=$(( ($(date +%s) + 20) * 1000 ))   # the same number everywhere

${commands.join('\n\n')}
\`\`\``
}

/** The command line of one process. */
function commandOf(scenario: PreparedScenario, index: number, instances: number): string {
  const { name, runtime = {} } = scenario
  const set = assignments(runtime).map((each) => `${each} `)
  const evidence = instances === 1 ? `${name}.evidence.txt` : `${name}.${index + 1}.evidence.txt`
  const shares = instances > 1 ? `${INSTANCE_ENV.instances}=${instances} ` : ''
  return [
    `${set.join('')}${shares}${PLAN_ENV.plan}=./${name}.plan.json k6 run --no-usage-report --quiet --log-format=raw`,
    ...segmentArguments(index, instances),
    `--console-output=${evidence} ${name}.bundle.js`,
  ].join(' \\\n  ')
}

function assignments(variables: Readonly<Record<string, string>>): string[] {
  return Object.entries(variables).map(([name, value]) => `${name}=${value}`)
}

function quote(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}
