/** npm run load:k8s: a prepared run with archives and manifests for the k6-operator. */
import { usageError } from '../harness/errors.ts'
import { parseRunOptions } from '../harness/gate/options.ts'
import { prepareRun } from '../harness/gate/prepare.ts'
import { parseClusterOptions } from '../harness/k8s/options.ts'
import { FOLDER } from '../harness/k8s/page.ts'
import { writeCluster } from '../harness/k8s/write.ts'
import { findK6 } from '../harness/load/k6/k6-binary.ts'
import { HARNESS_VERSION, SCENARIOS } from './main.ts'

export async function loadOnKubernetes(argv: readonly string[]): Promise<void> {
  const { directory, rest, ...cluster } = parseClusterOptions(argv)
  if (directory === undefined)
    throw usageError('--out DIR is missing', 'Name a directory that is new.')
  const options = parseRunOptions('load', [...rest, '--prepare', directory])
  const k6 = await findK6({ env: process.env, onProgress: note })
  const parts = { scenarios: SCENARIOS, harnessVersion: HARNESS_VERSION }
  const prepared = await prepareRun({ ...options, prepareDir: directory }, parts, note)
  const files = await writeCluster(directory, prepared, k6, cluster)
  console.log(`Wrote ${files.join(', ')}. How to use them: ${directory}/${FOLDER}/README.md`)
}

function note(text: string): void {
  console.error(text)
}
