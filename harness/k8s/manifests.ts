/** Kubernetes objects for a prepared run, for the k6-operator (grafana/k6-operator, TestRun of k6.io/v1alpha1). Pure. */
import { INSTANCE_ENV } from '../../load/protocol/instances.ts'
import { PLAN_ENV } from '../../load/protocol/plan.ts'
import type { PreparedScenario } from '../load/prepared/types.ts'
import { K6_SETTINGS } from '../load/shared/k6-runtime.ts'

export type ClusterOptions = {
  /** An image of the pinned k6. */
  readonly image: string
  /** The Secret that holds the keys; it is made by hand, and never written here. */
  readonly secret: string
  readonly namespace?: string
  /** Each process on a host of its own. */
  readonly separate: boolean
}

/** One Kubernetes object. */
export type Manifest = {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: { readonly name: string; readonly namespace?: string }
  readonly [field: string]: unknown
}

const EVIDENCE_PATH = '/evidence'
const EVIDENCE_SIZE = '1Gi'
/** The user of k6's own image. */
const K6_USER = 12345

/** What a test run is called; its processes are this, and their number. */
export function testRunName({ name, run }: PreparedScenario): string {
  return `ordering-${name}-${run}`
}

export function archiveName({ name }: PreparedScenario): string {
  return `${name}.tar`
}

/** The volume that all processes of a prepared run write their evidence to: one for each, so that no other run's can lie in it. */
export function claimName(scenarios: readonly PreparedScenario[]): string {
  return `ordering-evidence-${scenarios[0]?.run ?? 'none'}`
}

/** The archive of a scenario. It carries the plan, which holds no key. */
export function archiveConfigMap(
  scenario: PreparedScenario,
  archive: Buffer,
  options: ClusterOptions,
): Manifest {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: metadata(testRunName(scenario), options),
    binaryData: { [archiveName(scenario)]: archive.toString('base64') },
  }
}

/**
 * The run of a scenario. The operator gives each process its execution segment and starts them together. Its initializer is left out: it
 * would write the keys into an archive of its own (k6 archive -e), and what it looks at has been looked at here.
 */
export function testRun(
  scenario: PreparedScenario,
  claim: string,
  options: ClusterOptions,
): Manifest {
  return {
    apiVersion: 'k6.io/v1alpha1',
    kind: 'TestRun',
    metadata: metadata(testRunName(scenario), options),
    spec: {
      parallelism: scenario.instances,
      separate: options.separate,
      script: { configMap: { name: testRunName(scenario), file: archiveName(scenario) } },
      arguments: [
        '--no-usage-report',
        '--no-color',
        '--log-format=raw',
        `--console-output=${EVIDENCE_PATH}/$(POD_NAME).evidence.txt`,
      ].join(' '),
      initializer: { disabled: true },
      runner: {
        image: options.image,
        automountServiceAccountToken: 'false',
        env: environmentOf(scenario, options),
        securityContext: { runAsNonRoot: true, runAsUser: K6_USER, fsGroup: K6_USER },
        containerSecurityContext: {
          allowPrivilegeEscalation: false,
          capabilities: { drop: ['ALL'] },
        },
        volumes: [{ name: 'evidence', persistentVolumeClaim: { claimName: claim } }],
        volumeMounts: [{ name: 'evidence', mountPath: EVIDENCE_PATH }],
      },
    },
  }
}

function environmentOf(scenario: PreparedScenario, { secret }: ClusterOptions): unknown[] {
  return [
    { name: 'POD_NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
    ...Object.entries({ ...K6_SETTINGS, ...scenario.runtime }).map(([name, value]) => ({
      name,
      value,
    })),
    { name: PLAN_ENV.plan, value: planPath(scenario) },
    { name: INSTANCE_ENV.instances, value: String(scenario.instances) },
    ...scenario.keys.map(({ env }) => ({
      name: env,
      valueFrom: { secretKeyRef: { name: secret, key: env } },
    })),
  ]
}

/** Where the archive has the plan: beside the bundle. */
export function planPath({ name }: PreparedScenario): string {
  return `./${name}.plan.json`
}

export function evidenceClaim(claim: string, options: ClusterOptions): Manifest {
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: metadata(claim, options),
    spec: {
      accessModes: ['ReadWriteMany'],
      resources: { requests: { storage: EVIDENCE_SIZE } },
    },
  }
}

/** A pod that does nothing but hold the volume, to copy the evidence from. */
export function collector(claim: string, options: ClusterOptions): Manifest {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: metadata(claim, options),
    spec: {
      automountServiceAccountToken: false,
      restartPolicy: 'Never',
      containers: [
        {
          name: 'collector',
          image: options.image,
          command: ['sleep', '3600'],
          volumeMounts: [{ name: 'evidence', mountPath: EVIDENCE_PATH, readOnly: true }],
        },
      ],
      volumes: [{ name: 'evidence', persistentVolumeClaim: { claimName: claim } }],
    },
  }
}

function metadata(name: string, { namespace }: ClusterOptions): Manifest['metadata'] {
  return { name, ...(namespace === undefined ? {} : { namespace }) }
}
