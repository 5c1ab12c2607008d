/**
 * Where k6 may send its own metrics, next to the evidence: its `--out`. Only what k6 brings itself: anything else would make it fetch
 * an extension. What an output needs to know comes from its own environment variables.
 */

type Output = {
  /** Environment variables of this kind are handed to k6. */
  readonly env: RegExp
  /** What may stand behind `=`; undefined: nothing. */
  readonly argument?: RegExp
  readonly example: string
  /** Where the caller does not set them. */
  readonly defaults?: Readonly<Record<string, string>>
  /** How k6 says that it could not reach it; it goes on all the same, and ends as if nothing had happened. */
  readonly lost?: RegExp
}

const FILE = /^[\w./+-]{1,200}$/

const OUTPUTS: ReadonlyMap<string, Output> = new Map([
  [
    'opentelemetry',
    {
      env: /^(K6_OTEL|OTEL)_[A-Z_]+$/,
      example: 'opentelemetry',
      lost: /OpenTelemetry metric provider|failed to upload metrics/i,
    },
  ],
  [
    'experimental-prometheus-rw',
    {
      env: /^K6_PROMETHEUS_RW_[A-Z_]+$/,
      example: 'experimental-prometheus-rw',
      // Without a count there is no rate of answers; k6 sends p(99) alone by itself.
      defaults: { K6_PROMETHEUS_RW_TREND_STATS: 'p(50),p(95),p(99),max,count' },
      lost: /Failed to send the time series data/i,
    },
  ],
  // It serves on loopback while the run lasts; K6_WEB_DASHBOARD_EXPORT=FILE keeps the page.
  ['web-dashboard', { env: /^K6_WEB_DASHBOARD_[A-Z_]+$/, example: 'web-dashboard' }],
  ['json', { env: /^K6_JSON_[A-Z_]+$/, argument: FILE, example: 'json=metrics.json.gz' }],
  ['csv', { env: /^K6_CSV_[A-Z_]+$/, argument: FILE, example: 'csv=metrics.csv' }],
])

export type OutputProblem = { readonly message: string; readonly nextStep: string }

/** Why k6 is not given this output; undefined where it is. */
export function outputProblem(output: string): OutputProblem | undefined {
  const { name, argument } = nameAndArgumentOf(output)
  const known = OUTPUTS.get(name)
  const examples = [...OUTPUTS.values()].map(({ example }) => example)
  if (!known)
    return { message: 'there is no such output', nextStep: `Choose from ${examples.join(', ')}.` }
  if (known.argument === undefined && argument !== undefined)
    return {
      message: 'it takes nothing behind the name',
      nextStep: `Say --out ${known.example}, and the rest by its environment variables.`,
    }
  if (known.argument !== undefined && !known.argument.test(argument ?? ''))
    return {
      message: 'it needs the name of a file',
      nextStep: `Say for example --out ${known.example}.`,
    }
  return undefined
}

/** The output that a line of k6's own output says was not reached. */
export function lostOutputOf(line: string): string | undefined {
  return OUTPUTS.entries().find(([, { lost }]) => lost?.test(line))?.[0]
}

/** What is said of an output that was not reached. */
export function lostOutputText(scenario: string, output: string): string {
  return `k6 could not send its own metrics of ${scenario} to ${output}, or not all of them. The verdict does not depend on them; check that the receiver is reachable, and its variables (${OUTPUT_VARIABLES[output] ?? 'none'}).`
}

const OUTPUT_VARIABLES: Readonly<Record<string, string>> = {
  opentelemetry: 'K6_OTEL_*',
  'experimental-prometheus-rw': 'K6_PROMETHEUS_RW_*',
}

export function outputArguments(outputs: readonly string[]): string[] {
  return outputs.map((output) => `--out=${output}`)
}

/** The variables of the environment that the outputs need, and no other. */
export function outputEnvironment(
  outputs: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const known = outputs.flatMap((output) => OUTPUTS.get(nameAndArgumentOf(output).name) ?? [])
  const patterns = known.map((each) => each.env)
  const defaults = Object.assign({}, ...known.map((each) => each.defaults)) as typeof env
  return Object.fromEntries(
    Object.entries({ ...defaults, ...env }).flatMap(([name, value]) =>
      value !== undefined && patterns.some((pattern) => pattern.test(name)) ? [[name, value]] : [],
    ),
  )
}

/** What of it must not be printed: headers, tokens and passwords of the outputs, and each word of them. */
export function outputSecrets(
  outputs: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): string[] {
  const entries = Object.entries(outputEnvironment(outputs, env))
  return entries.flatMap(([name, value]) => (SECRET_NAME.test(name) ? secretsOf(value) : []))
}

const SECRET_NAME = /HEADERS|TOKEN|PASSWORD|USERNAME|CERT|KEY/
/** A shorter word could stand anywhere. */
const SECRET_LETTERS_MIN = 6

function secretsOf(value: string): string[] {
  const words = [value, ...value.split(/[\s,;=:]+/)]
  return words.filter(({ length }) => length >= SECRET_LETTERS_MIN)
}

function nameAndArgumentOf(output: string): {
  readonly name: string
  readonly argument: string | undefined
} {
  const at = output.indexOf('=')
  return at < 0
    ? { name: output, argument: undefined }
    : { name: output.slice(0, at), argument: output.slice(at + 1) }
}
