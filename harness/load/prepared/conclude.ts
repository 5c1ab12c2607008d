import { readdir } from 'node:fs/promises'
import path from 'node:path'
import type { LoadResult } from '../../../schemas/generated/run-record.ts'
import { HarnessError } from '../../errors.ts'
import { openTemporaryFolder } from '../../temporary-folder.ts'
import { withClockSkew } from '../clock-skew.ts'
import { requireNarrow } from '../shared-windows.ts'
import { collectEvidence, firstLine } from '../k6/collect.ts'
import { parseHeader } from '../k6/merge.ts'
import { readAttempt } from './prepared.ts'
import type { Prepared, PreparedScenario } from './types.ts'
import type { OrderMade } from '../../purchases/purchase.ts'
import { judgeAttempt } from '../attempts.ts'
import { FORMS } from '../evidence/form.ts'
import type { K6Outcome } from '../evidence/k6-run.ts'
import { emptyResult } from '../shared/conclusion.ts'
import { selectScenarios } from '../shared/scenarios.ts'
import { withShares } from '../k6/segments.ts'

export type JudgePreparedOptions = {
  readonly directory: string
  readonly prepared: Prepared
  /** By how much the clocks of the machines differ at most. */
  readonly clockSkewMs: number
  /** Hears of the orders that a scenario made. */
  readonly onOrders?: (scenario: string, orders: Iterable<OrderMade>) => void
}

const EVIDENCE = /\.evidence\.txt$/
/** Where evidence may lie, below the directory. */
const FOLDERS = ['.', 'evidence']

/**
 * Judges every scenario of a prepared run by the evidence that was brought into its directory. Throws E_USAGE where there is none at all,
 * and E_K6_FAILED where some cannot be trusted or is of another run.
 */
export async function judgePrepared(options: JudgePreparedOptions): Promise<LoadResult[]> {
  const { directory, prepared } = options
  const files = await evidenceByRun(directory)
  if (files.size === 0)
    throw new HarnessError(
      'E_USAGE',
      `${directory} holds no evidence (*.evidence.txt)`,
      'Carry the run out as its README.md says, and bring what k6 wrote into the directory.',
    )
  const known = new Set(prepared.scenarios.map(({ run }) => run))
  for (const [run, [file]] of files)
    if (!known.has(run))
      throw new HarnessError(
        'E_K6_FAILED',
        `${file} is evidence of run ${run}, which is none of this directory (${[...known].join(', ')})`,
        'Take it away, or bring it to the directory that its plan was prepared in.',
      )
  await using scratch = await openTemporaryFolder()
  const results: LoadResult[] = []
  for (const scenario of prepared.scenarios)
    results.push(await judgeOne(scenario, files.get(scenario.run) ?? [], scratch.path, options))
  return results
}

async function evidenceByRun(directory: string): Promise<Map<string, string[]>> {
  const byRun = new Map<string, string[]>()
  for (const folder of FOLDERS) {
    const names = await readdir(path.join(directory, folder)).catch(nothingThere)
    for (const name of names.filter((each) => EVIDENCE.test(each)).toSorted()) {
      const file = path.join(directory, folder, name)
      const { run } = parseHeader((await firstLine(file)) ?? '', name)
      byRun.set(run, [...(byRun.get(run) ?? []), file])
    }
  }
  return byRun
}

function nothingThere(error: NodeJS.ErrnoException): string[] {
  if (error.code === 'ENOENT') return []
  throw error
}

async function judgeOne(
  scenario: PreparedScenario,
  files: readonly string[],
  scratch: string,
  { directory, prepared, clockSkewMs, onOrders }: JudgePreparedOptions,
): Promise<LoadResult> {
  const attempt = await readAttempt(directory, scenario)
  if (files.length === 0) return withoutEvidence(scenario, attempt.plan.requestsMin)
  const evidencePath = path.join(scratch, `${scenario.name}.evidence.txt`)
  const form = FORMS[attempt.kind]
  const { instances, doubt } = await collectEvidence(files, {
    run: scenario.run,
    form,
    into: evidencePath,
    interrupted: false,
  })
  const outcome: K6Outcome = {
    evidencePath,
    thresholdsCrossed: [],
    // Nobody watched: these two are taken out of the result again.
    clockStepMs: 0,
    durationSeconds: 0,
    ...(instances.length > 1 && { instances: withShares(attempt.plan, instances) }),
    ...(doubt !== undefined && { doubt }),
  }
  if (instances.length > 1) requireNarrow(attempt, clockSkewMs)
  const blurred = instances.length > 1 ? withClockSkew(attempt, clockSkewMs) : attempt
  const result = await judgeAttempt(blurred, outcome, {
    k6Version: prepared.k6Version,
    onOrders: (orders) => onOrders?.(scenario.name, orders),
  })
  const { clockStepMs: _step, durationSeconds: _duration, ...measurements } = result.measurements
  const { repeat: _repeat, ...rest } = result
  return { ...rest, measurements }
}

function withoutEvidence({ name }: PreparedScenario, planned: number): LoadResult {
  return emptyResult(name, {
    verdict: 'inconclusive',
    reason: 'There is no evidence of it: it was not carried out, or what k6 wrote was not brought.',
    requirements: [...(selectScenarios([name])[0]?.requirements ?? [])],
    requests: { planned, sent: 0, admitted: 0, refused: 0, failed: 0 },
    k6: { thresholdsCrossed: [] },
  })
}
