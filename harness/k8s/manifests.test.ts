import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { Ajv, type ValidateFunction } from 'ajv'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import type { PreparedScenario } from '../load/prepared/types.ts'
import { archiveConfigMap, claimName, evidenceClaim, testRun, testRunName } from './manifests.ts'
import { OPERATOR_VERSIONS } from './readme.ts'

const SCENARIO: PreparedScenario = {
  name: 'spend-contention',
  run: '1dd48250',
  instances: 4,
  wallSecondsMax: 41,
  keys: [
    { env: 'HARNESS_KEY_SPEND_CONTENTION_0', from: 'ORDERING_KEY' },
    { env: 'HARNESS_KEY_SPEND_CONTENTION_1', from: 'ORDERING_KEY_SIBLING' },
  ],
  runtime: { GOGC: '400' },
  planSha256: '',
  judgeSha256: '',
}
const OPTIONS = {
  image: 'grafana/k6:2.2.0',
  secret: 'ordering-keys',
  namespace: 'load-test',
  separate: true,
}
const CLAIM = claimName([SCENARIO])

type OperatorVersion = (typeof OPERATOR_VERSIONS)[number]

/** The definitions by their digest. They are not ours to copy, so they are read from where the operator is: a file, or its Go module. */
const DEFINITION = 'config/crd/bases/k6.io_testruns.yaml'
const DEFINITIONS_SHA256: Readonly<Record<OperatorVersion, string>> = {
  'v1.5.0': 'c2d2d30cddd8694d913c47a9b22be84a68da71e605d97f9fa30389c19a688266',
  'v1.6.0': 'd4df597bb94d210bcb9368dd4faf81da25c08194e240da98e4df8887563be185',
}

/** Throws where neither the file is of this release nor the module is to be had. */
async function readDefinition(version: OperatorVersion): Promise<string> {
  const file = process.env['K6_OPERATOR_CRD']
  const text = file ? await readFile(file, 'utf8') : undefined
  if (text !== undefined && digestOf(text) === DEFINITIONS_SHA256[version]) return text
  const module = `github.com/grafana/k6-operator@${version}`
  const { stdout } = await promisify(execFile)('go', ['mod', 'download', '-json', module], {
    timeout: 10_000,
  })
  const { Dir } = JSON.parse(stdout) as { Dir: string }
  return readFile(path.join(Dir, DEFINITION), 'utf8')
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

type Schema = { [keyword: string]: unknown }

/** What the API server would silently drop is an error here. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed)
  if (typeof schema !== 'object' || schema === null) return schema
  const inner = Object.fromEntries(
    Object.entries(schema as Schema).map(([keyword, value]) => [keyword, closed(value)]),
  )
  const isOpen =
    'additionalProperties' in inner || inner['x-kubernetes-preserve-unknown-fields'] === true
  const isObject = inner['type'] === 'object' && typeof inner['properties'] === 'object'
  return isObject && !isOpen ? { ...inner, additionalProperties: false } : inner
}

function validatorOf(text: string, operator: OperatorVersion): ValidateFunction {
  expect(digestOf(text)).toBe(DEFINITIONS_SHA256[operator])
  const { spec } = parse(text) as {
    spec: { versions: { name: string; schema: { openAPIV3Schema: Schema } }[] }
  }
  const version = spec.versions.find(({ name }) => name === 'v1alpha1')
  // Formats of Kubernetes, such as int32, are no concern of ours.
  const ajv = new Ajv({ strict: false, validateFormats: false, allErrors: true })
  return ajv.compile(closed(version?.schema.openAPIV3Schema) as Schema)
}

describe.each(OPERATOR_VERSIONS)("TestRun under the operator's own schema, %s", (operator) => {
  it('is valid, and what is misspelt is not', async (context) => {
    const definition = await readDefinition(operator).catch((error: Error) => error)
    if (definition instanceof Error)
      return context.skip(`neither K6_OPERATOR_CRD nor the module: ${definition.message}`)
    const validate = validatorOf(definition, operator)
    const manifest = testRun(SCENARIO, CLAIM, OPTIONS)
    validate(manifest)
    expect(validate.errors ?? []).toEqual([])
    const spec = manifest['spec'] as Schema
    const wrong: Schema[] = [
      { ...spec, paralelism: 2 },
      { ...spec, parallelism: '4' },
      { ...spec, runner: { ...(spec['runner'] as Schema), automountServiceAccountToken: false } },
      { ...spec, script: undefined },
    ]
    for (const each of wrong)
      expect(validate(JSON.parse(JSON.stringify({ ...manifest, spec: each })))).toBe(false)
  })
})

describe('manifests of a prepared run', () => {
  it('refer to the keys and never hold one', () => {
    const { runner } = testRun(SCENARIO, CLAIM, OPTIONS)['spec'] as {
      runner: { env: { name: string; value?: string; valueFrom?: unknown }[] }
    }
    const keys = runner.env.filter(({ name }) => name.startsWith('HARNESS_KEY_'))
    expect(keys).toEqual(
      SCENARIO.keys.map(({ env }) => ({
        name: env,
        valueFrom: { secretKeyRef: { name: 'ordering-keys', key: env } },
      })),
    )
  })

  it('set the runtime of k6 as the plan does', () => {
    const { runner } = testRun(SCENARIO, CLAIM, OPTIONS)['spec'] as { runner: { env: unknown[] } }
    expect(runner.env).toContainEqual({ name: 'GOGC', value: '400' })
  })

  it('leave the initializer out, which would archive the keys', () => {
    const { initializer } = testRun(SCENARIO, CLAIM, OPTIONS)['spec'] as Schema
    expect(initializer).toEqual({ disabled: true })
  })

  it('share one volume and one namespace, and name the archive as the script', () => {
    const run = testRun(SCENARIO, CLAIM, OPTIONS)
    const archive = archiveConfigMap(SCENARIO, Buffer.from('archive'), OPTIONS)
    const claim = evidenceClaim(CLAIM, OPTIONS)
    const spec = run['spec'] as { script: { configMap: { name: string; file: string } } }
    const { name, file } = spec.script.configMap
    expect(name).toBe(archive.metadata.name)
    expect(archive['binaryData']).toEqual({ [file]: Buffer.from('archive').toString('base64') })
    expect(JSON.stringify(run)).toContain(`"claimName":"${claim.metadata.name}"`)
    for (const { metadata } of [run, archive, claim]) expect(metadata.namespace).toBe('load-test')
  })

  it('have names that Kubernetes takes, with room for the number of a process and its own', () => {
    const longest = testRunName({ ...SCENARIO, name: 'rate-limit-windows' })
    expect(`${longest}-service-64`.length).toBeLessThanOrEqual(63)
    expect(longest).toMatch(/^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/)
  })
})
