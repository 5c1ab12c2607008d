/** npm run load:k8s: a prepared run with archives and manifests for the k6-operator. */
import { usageError } from '../harness/errors.ts'
import { parseRunOptions } from '../harness/gate/options.ts'
import { prepareRun } from '../harness/gate/prepare.ts'
import { parseClusterOptions } from '../harness/k8s/options.ts'
import { FOLDER, writeCluster } from '../harness/k8s/write.ts'
import { findK6 } from '../harness/load/k6/k6-binary.ts'
import { report } from './ending.ts'
import { HARNESS_VERSION, SCENARIOS } from './main.ts'

const HELP = `Lays load scenarios out for the k6-operator on Kubernetes. Nothing is sent to the cluster, and no key is written to a manifest.

Usage: npm run load:k8s -- --out DIR [options]

  --out DIR             where to write the prepared run, with archives and manifests in DIR/${FOLDER}
  --instances N         processes that share each scenario (a scenario takes no more than it has streams or lanes)
  --secret NAME         the Secret that will hold the keys (ordering-harness-keys)
  --namespace NAME      of all objects
  --runner-image IMAGE  an image of the pinned k6
  --separate            each process on a host of its own
  --keys-file FILE      where to write the keys that a target makes for the run; outside of DIR

and what npm run load takes: --target, --scenario, --allow-load … (npm run load -- --help).

Example
  npm run load:k8s -- --out prepared --target staging.target.json --instances 4 --allow-load --max-requests 5000
  npm run load -- --judge prepared          when the evidence was brought back: the verdict
`

/** Runs the command to its end and sets the exit code of the process. */
export async function loadOnKubernetes(): Promise<void> {
  try {
    process.exitCode = await run(process.argv.slice(2))
  } catch (cause) {
    process.exitCode = report(cause)
  }
}

async function run(argv: readonly string[]): Promise<number> {
  if (argv.includes('--help') || argv.includes('-h')) return print(HELP)
  const { directory, rest, ...cluster } = parseClusterOptions(argv)
  if (directory === undefined)
    throw usageError('--out DIR is missing', 'Name a directory that is new.')
  const options = parseRunOptions('load', [...rest, '--prepare', directory])
  const k6 = await findK6({ env: process.env, onProgress: note })
  const parts = { scenarios: SCENARIOS, harnessVersion: HARNESS_VERSION }
  const prepared = await prepareRun({ ...options, prepareDir: directory }, parts, note)
  const files = await writeCluster(directory, prepared, k6, cluster)
  return print(`Wrote ${files.join(', ')}. How to use them: ${directory}/${FOLDER}/README.md`)
}

function note(text: string): void {
  console.error(text)
}

function print(text: string): number {
  console.log(text)
  return 0
}
