/** The entries of `npm run bench` that measure the load side. */
import os from 'node:os'
import { findK6 } from '../harness/load/k6/k6-binary.ts'
import { type EvidenceComparison, compareEvidence } from '../bench/load-evidence-cost.ts'
import { OPEN_MODEL_IMPORT_CASES, measureOpenModelImport } from '../bench/load-open-model-import.ts'
import { IMPORT_CASES, measureImport } from '../bench/load-import.ts'
import type { ImportResult } from '../bench/import-in-child.ts'
import { showSpread as figures } from '../bench/spread.ts'

const MEGABYTE = 1e6
const IMPORT_GOAL = { seconds: 15, bytes: 500 * MEGABYTE } as const
/** Requests in flight. */
const IN_FLIGHT = 50
const EVIDENCE_GOAL = 0.9

/** Ratios of one run bear some disturbance. */
function warnOfBusyMachine(): void {
  const [load = 0] = os.loadavg()
  const cpus = os.availableParallelism()
  if (load > cpus)
    console.log(
      `This machine is busy: a load of ${load.toFixed(1)} on ${cpus} CPUs. Measure again when it is not.`,
    )
}

function reached(isReached: boolean): string {
  return isReached ? 'reached' : 'not reached'
}

export async function benchImport({
  exchanges,
}: {
  readonly exchanges: number
}): Promise<readonly ImportResult[]> {
  console.log(`Import and judgement of ${exchanges} exchanges, each in a process of its own`)
  const results: ImportResult[] = []
  console.log('  Windows (rate-limit-windows)')
  for (const each of IMPORT_CASES) results.push(showImport(await measureImport(each, exchanges)))
  console.log('  OpenModel')
  for (const each of OPEN_MODEL_IMPORT_CASES)
    results.push(showImport(await measureOpenModelImport(each, exchanges)))
  const fits = results.every(
    ({ seconds, maxRssBytes }) => seconds < IMPORT_GOAL.seconds && maxRssBytes < IMPORT_GOAL.bytes,
  )
  console.log(
    `  the goal of ${IMPORT_GOAL.seconds} s and ${megabytes(IMPORT_GOAL.bytes)} MB is ${reached(fits)}`,
  )
  return results
}

function showImport(result: ImportResult): ImportResult {
  const { name, seconds, importSeconds, cpuSeconds, maxRssBytes, fileBytes, verdict } = result
  const times = `${seconds.toFixed(1)} s (import ${importSeconds.toFixed(1)} s, CPU ${cpuSeconds.toFixed(1)} s)`
  const sizes = `peak ${megabytes(maxRssBytes)} MB for a file of ${megabytes(fileBytes)} MB`
  console.log(`    ${name}: ${times}, ${sizes}, ${verdict}`)
  return result
}

function megabytes(bytes: number): string {
  return (bytes / MEGABYTE).toFixed(0)
}

export async function benchEvidence({
  repeats,
  requests,
}: {
  readonly repeats: number
  readonly requests: number
}): Promise<EvidenceComparison> {
  const { path: k6 } = await findK6({ env: process.env, onProgress: console.log })
  warnOfBusyMachine()
  console.log(
    `Client CPU seconds per 1000 GETs at ${IN_FLIGHT} in flight, median of ${repeats} (spread);
ratio: requests per CPU second beside those of k6 with check`,
  )
  const compared = await compareEvidence({ k6, repeats, requests, inFlight: IN_FLIGHT })
  for (const { name, cpuSeconds, ratio } of compared.results)
    console.log(`  ${name}: ${figures(cpuSeconds, 3)}, ratio ${figures(ratio, 2)}`)
  const fits = compared.ours.every(({ ratio }) => ratio.median >= EVIDENCE_GOAL)
  console.log(`  the goal of ${EVIDENCE_GOAL} for ours is ${reached(fits)}`)
  return compared
}
