import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { stringify } from 'yaml'
import type { K6Binary } from '../load/k6/k6-version.ts'
import type { Prepared } from '../load/prepared/types.ts'
import { makeArchive } from './archive.ts'
import {
  archiveConfigMap,
  claimName,
  collector,
  evidenceClaim,
  testRun,
  testRunName,
  type ClusterOptions,
  type Manifest,
} from './manifests.ts'
import { FOLDER } from './page.ts'
import { readmeOf } from './readme.ts'

/**
 * Writes archives, manifests and how to use them for a run that was prepared in `directory`; returns the files, below it. No key is in
 * any of them.
 */
export async function writeCluster(
  directory: string,
  prepared: Prepared,
  k6: K6Binary,
  options: ClusterOptions,
): Promise<string[]> {
  const folder = path.join(directory, FOLDER)
  await mkdir(folder, { recursive: true })
  const claim = claimName(prepared.scenarios)
  const written: string[] = []
  const write = async (file: string, text: string): Promise<void> => {
    await writeFile(path.join(folder, file), text)
    written.push(path.join(FOLDER, file))
  }
  await write('evidence.yaml', yamlOf(evidenceClaim(claim, options)))
  await write('collector.yaml', yamlOf(collector(claim, options)))
  for (const scenario of prepared.scenarios) {
    const archive = await makeArchive(scenario, directory, k6)
    const name = testRunName(scenario)
    await write(`${name}.configmap.yaml`, yamlOf(archiveConfigMap(scenario, archive, options)))
    await write(`${name}.testrun.yaml`, yamlOf(testRun(scenario, claim, options)))
  }
  await write('README.md', readmeOf(prepared, options))
  return written
}

function yamlOf(manifest: Manifest): string {
  return stringify(manifest, { lineWidth: 0 })
}
