import type { Prepared } from '../load/prepared/types.ts'
import { claimName, testRunName, type ClusterOptions } from './manifests.ts'

/** Releases of the k6-operator that the manifests were validated against. */
export const OPERATOR_VERSIONS = ['v1.5.0', 'v1.6.0'] as const

/** How the manifests of a prepared run are used, with the exact commands. */
export function readmeOf(prepared: Prepared, options: ClusterOptions): string {
  const { scenarios } = prepared
  const space = options.namespace === undefined ? '' : ` -n ${options.namespace}`
  const claim = claimName(scenarios)
  const names = scenarios.map(testRunName)
  return `# On Kubernetes

For the k6-operator ${OPERATOR_VERSIONS.join(' or ')} (https://github.com/grafana/k6-operator) and a storage class with volumes that many pods write to.
No file here holds a key.

## 1. Keys

${secretText(prepared, options, space)}

## 2. Run

The volume for the evidence, once (set its storageClassName, if the default one has no ReadWriteMany):

\`\`\`sh
kubectl create${space} -f evidence.yaml
\`\`\`

The scenarios one after the other, since they share accounts and windows:

${names
  .map(
    (name) => `\`\`\`sh
kubectl create${space} -f ${name}.configmap.yaml -f ${name}.testrun.yaml
kubectl wait${space} --for=jsonpath='{.status.stage}'=finished testrun/${name} --timeout=30m
\`\`\``,
  )
  .join('\n\n')}

The stage is \`finished\` also where k6 failed: only the evidence says what happened. The operator releases its processes one after the
other, within milliseconds; more than a second apart is inconclusive. Give the runners processors of their own (\`spec.runner.resources\`):
a generator that waits for one blurs its own times.

## 3. Evidence and verdict

\`\`\`sh
kubectl create${space} -f collector.yaml
kubectl wait${space} --for=condition=Ready pod/${claim}
kubectl cp${space} ${claim}:/evidence ../evidence
cd CHECKOUT && npm run load -- --judge DIR --clock-skew-ms 50
\`\`\`

State by how much the clocks of the nodes differ at most (\`chronyc tracking\` tells). Where an instance's evidence is missing, or two of one
segment are there, nothing passes. Logs are no way around the volume: the kubelet rotates them, and then evidence is missing.

## 4. Clean up

\`\`\`sh
kubectl delete${space} ${names.map((name) => `testrun/${name} configmap/${name}`).join(' ')} \\
  pod/${claim} pvc/${claim} secret/${options.secret}
\`\`\`
`
}

function secretText(
  { scenarios, keysFrom }: Prepared,
  { secret }: ClusterOptions,
  space: string,
): string {
  const create = `kubectl create secret generic ${secret}${space}`
  if (keysFrom === 'file')
    return `From the file that --keys-file named, which is as secret as they are; delete it afterwards:

\`\`\`sh
${create} --from-env-file=KEYS_FILE
\`\`\``
  const literals = scenarios.flatMap(({ keys }) =>
    keys.map(({ env, from }) => `  --from-literal=${env}="$${from}"`),
  )
  return `From the variables that the target file names:

\`\`\`sh
${create} \\
${literals.join(' \\\n')}
\`\`\``
}
