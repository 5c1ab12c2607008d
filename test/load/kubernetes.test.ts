/** Manifests for the k6-operator, carried out here with the commands that the operator would give its runners. */
import { statedLimits } from '../support/stated-limits.ts'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { accountsOf } from '../../harness/accounts/select-accounts.ts'
import { FOLDER } from '../../harness/k8s/page.ts'
import { writeCluster } from '../../harness/k8s/write.ts'
import { k6AtHand } from '../support/k6.ts'
import type { K6Binary } from '../../harness/load/k6/k6-binary.ts'
import { readPrepared, writePrepared } from '../../harness/load/prepared/prepared.ts'
import { judgePrepared } from '../../harness/load/prepared/conclude.ts'
import { burstScenario } from '../../harness/load/attempts.ts'
import { segmentArguments } from '../../harness/load/k6/segments.ts'
import { INSTANCE_ENV } from '../../load/protocol/instances.ts'
import { effectiveLimits } from '../../harness/quota/effective-limits.ts'
import { startEmbedded } from '../../harness/test-server/embedded.ts'

const k6 = k6AtHand

type TestRun = {
  readonly metadata: { readonly name: string }
  readonly spec: {
    readonly parallelism: number
    readonly arguments: string
    readonly script: { readonly configMap: { readonly name: string; readonly file: string } }
    readonly runner: {
      readonly env: readonly {
        readonly name: string
        readonly value?: string
        readonly valueFrom?: { readonly secretKeyRef?: { readonly key: string } }
      }[]
    }
  }
}
type ConfigMap = { readonly binaryData: Readonly<Record<string, string>> }

const CLUSTER = { image: 'grafana/k6:2.2.0', secret: 'ordering-keys', separate: false }
const INSTANCES = 2

/** The operator starts all runners together, when each of them is ready. */
const READY_AFTER_MS = 6_000

/** One runner of the operator: `index` counts from 0. Kubernetes puts variables where the arguments name them. */
async function runner(
  { metadata, spec }: TestRun,
  index: number,
  volume: string,
  script: string,
  secret: Readonly<Record<string, string>>,
  startAtMs: number,
): Promise<number> {
  const pod = `${metadata.name}-${index + 1}-x7k2p`
  const named = spec.runner.env.map(({ name, value, valueFrom }) => [
    name,
    value ?? (valueFrom?.secretKeyRef ? secret[valueFrom.secretKeyRef.key] : pod),
  ])
  const env: NodeJS.ProcessEnv = Object.fromEntries(named)
  env[INSTANCE_ENV.startAt] = String(startAtMs)
  const given = spec.arguments
    .replaceAll('$(POD_NAME)', pod)
    .replaceAll('/evidence/', `${volume}/`)
    .split(' ')
  const child = spawn(
    k6?.path ?? '',
    [
      'run',
      '--quiet',
      ...segmentArguments(index, spec.parallelism),
      ...given,
      script,
      '--tag',
      `instance_id=${index + 1}`,
      '--tag',
      `testrun_name=${metadata.name}`,
    ],
    { env, cwd: volume, stdio: 'ignore' },
  )
  const [code] = (await once(child, 'close')) as [number]
  return code
}

async function textsOf(directory: string): Promise<Map<string, string>> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true })
  const files = entries.filter((each) => each.isFile())
  const texts = await Promise.all(
    files.map(async ({ parentPath, name }) => {
      const text = await readFile(path.join(parentPath, name), 'latin1')
      return [path.relative(directory, path.join(parentPath, name)), text] as const
    }),
  )
  return new Map(texts)
}

describe('a run for Kubernetes', () => {
  beforeEach((context) => {
    if (k6 === undefined) context.skip('no k6 in K6_BIN, on PATH or in the cache')
  })

  test('is carried out from its manifests alone, and judged; no key is in any file', async () => {
    await using embedded = await startEmbedded({ faults: [], windowSeconds: 2 })
    const { target } = embedded
    const ready = burstScenario('spend-contention', {
      target,
      limits: effectiveLimits({ ...target, limits: statedLimits(60) }),
      accounts: accountsOf(target),
    })
    if ('lacks' in ready) throw new Error(ready.lacks)
    const home = await mkdtemp(path.join(tmpdir(), 'harness-k8s-'))
    try {
      const directory = path.join(home, 'prepared')
      const { prepared, keys } = await writePrepared({
        directory,
        attempts: [await ready.attempt()],
        instances: INSTANCES,
        harnessVersion: 'test',
        facts: {
          target,
          limits: effectiveLimits({ ...target, limits: statedLimits(60) }),
          roles: [],
          hazards: [],
          permission: {},
        },
      })
      const files = await writeCluster(directory, prepared, k6 as K6Binary, CLUSTER)
      const texts = await textsOf(directory)
      for (const file of files) expect(texts.has(file)).toBe(true)
      const manifestOf = (kind: string): unknown =>
        parse(texts.get(files.find((file) => file.endsWith(`.${kind}.yaml`)) ?? '') ?? '')
      const testRun = manifestOf('testrun') as TestRun
      const { binaryData } = manifestOf('configmap') as ConfigMap
      const archive = Buffer.from(binaryData[testRun.spec.script.configMap.file] ?? '', 'base64')
      texts.set('the archive in the ConfigMap', archive.toString('latin1'))
      expect(Object.keys(keys).length).toBeGreaterThan(10)
      for (const secret of Object.values(keys))
        expect(
          [...texts].filter(([, text]) => text.includes(secret)).map(([file]) => file),
        ).toEqual([])

      // What the cluster has, and nothing else of the directory.
      const [volume, mounted] = [path.join(home, 'evidence'), path.join(home, 'test')]
      await Promise.all([volume, mounted].map((each) => mkdir(each)))
      const script = path.join(mounted, testRun.spec.script.configMap.file)
      await writeFile(script, archive)
      expect(testRun.spec.parallelism).toBe(INSTANCES)
      const startAtMs = Date.now() + READY_AFTER_MS
      const codes = await Promise.all(
        [0, 1].map((index) => runner(testRun, index, volume, script, keys, startAtMs)),
      )
      expect(codes).toEqual([0, 0])

      await mkdir(path.join(directory, 'evidence'))
      for (const name of await readdir(volume))
        await writeFile(
          path.join(directory, 'evidence', name),
          await readFile(path.join(volume, name)),
        )
      const [result] = await judgePrepared({
        directory,
        prepared: await readPrepared(directory),
        clockSkewMs: 0,
      })
      expect(result?.verdict, result?.reason).toBe('pass')
      expect(result?.instances?.map(({ segment }) => segment)).toEqual(['0:1/2', '1/2:1'])
      expect(await readdir(path.join(directory, FOLDER))).toContain('README.md')
    } finally {
      await rm(home, { recursive: true, force: true })
    }
  })
})
