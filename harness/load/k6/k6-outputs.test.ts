import { expect, test } from 'vitest'
import {
  lostOutputOf,
  lostOutputText,
  outputArguments,
  outputEnvironment,
  outputProblem,
  outputSecrets,
} from './k6-outputs.ts'

const ENV = {
  K6_OTEL_EXPORTER_PROTOCOL: 'http/protobuf',
  K6_OTEL_HEADERS: 'Authorization=Bearer hunter2hunter2',
  OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318',
  K6_PROMETHEUS_RW_SERVER_URL: 'http://127.0.0.1:9090/api/v1/write',
  K6_PROMETHEUS_RW_PASSWORD: 'correcthorse',
  K6_VUS: '1000',
  ORDERING_KEY: 'secret',
}

test.each([
  'opentelemetry',
  'experimental-prometheus-rw',
  'web-dashboard',
  'json=out/m.json.gz',
  'csv=m.csv',
])('%s is handed on', (output) => {
  expect(outputProblem(output)).toBeUndefined()
  expect(outputArguments([output])).toEqual([`--out=${output}`])
})

test.each([
  ['cloud', 'there is no such output'],
  ['xk6-kafka=broker', 'there is no such output'],
  ['', 'there is no such output'],
  ['toString', 'there is no such output'],
  ['json', 'it needs the name of a file'],
  ['json=', 'it needs the name of a file'],
  ['json=a b', 'it needs the name of a file'],
  ['opentelemetry=http://elsewhere', 'it takes nothing behind the name'],
])('%s is refused: %s', (output, message) => {
  expect(outputProblem(output)?.message).toBe(message)
})

test('only the variables of the outputs that were asked for pass', () => {
  expect(Object.keys(outputEnvironment(['opentelemetry'], ENV))).toEqual([
    'K6_OTEL_EXPORTER_PROTOCOL',
    'K6_OTEL_HEADERS',
    'OTEL_EXPORTER_OTLP_ENDPOINT',
  ])
  expect(outputEnvironment(['json=m.json'], ENV)).toEqual({})
  expect(outputEnvironment([], ENV)).toEqual({})
})

test('headers and passwords of the outputs are kept out of the log, word by word', () => {
  expect(outputSecrets(['opentelemetry'], ENV)).toContain('hunter2hunter2')
  expect(outputSecrets(['experimental-prometheus-rw'], ENV)).toContain('correcthorse')
  expect(outputSecrets([], ENV)).toEqual([])
})

test.each([
  ["can't shutdown OpenTelemetry metric provider", 'opentelemetry'],
  ['Failed to send the time series data to the endpoint', 'experimental-prometheus-rw'],
  ['Request Failed', undefined],
])('%j tells of %s', (line, output) => {
  expect(lostOutputOf(line)).toBe(output)
})

test('what is said of a lost output names its variables, and that the verdict stands', () => {
  const text = lostOutputText('browse', 'opentelemetry')
  expect(text).toContain('browse to opentelemetry')
  expect(text).toContain('K6_OTEL_*')
  expect(text).toContain('The verdict does not depend on them')
})
