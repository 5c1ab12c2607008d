/** Time and memory of importing and judging evidence of clients that arrive, in a process of its own. */
import { OPEN_MODELS, type OpenModelName } from '../harness/load/open-model/scenarios.ts'
import { type Limiter, fixedLattice, leaking, seeded } from '../test/support/limiter-simulator.ts'
import type { Verdict } from '../schemas/generated/run-record.ts'
import { importInChild, type ImportResult } from './import-in-child.ts'
import { writeOpenModel } from './load-open-model.ts'

/** Of every window, so that no kind of client holds the others up. */
export const OPEN_MODEL_LIMIT = { count: 1000, windowSeconds: 60 } as const
export const OPEN_MODEL_KEYS = 8
/** Of what an account's windows admit; every second one is overstepped. */
const OFFERED_SHARE = 0.9

export type OpenModelImportCase = {
  readonly name: string
  readonly scenario: OpenModelName
  readonly broken: boolean
  limiter(account: number): Limiter
  readonly verdict: Verdict
}

export const OPEN_MODEL_IMPORT_CASES = [
  {
    name: 'browse, 8 accounts, conforming',
    scenario: 'browse',
    broken: false,
    limiter: conforming,
    verdict: 'pass',
  },
  {
    name: 'mixed, 8 accounts, conforming',
    scenario: 'mixed',
    broken: false,
    limiter: conforming,
    verdict: 'pass',
  },
  {
    name: 'browse, 8 accounts, every window broken',
    scenario: 'browse',
    broken: false,
    limiter: leakingOne,
    verdict: 'fail',
  },
  {
    name: 'polling, 8 accounts, every window and every answer broken',
    scenario: 'polling',
    broken: true,
    limiter: leakingOne,
    verdict: 'fail',
  },
  {
    name: 'checkout, 8 accounts, every window and every answer broken',
    scenario: 'checkout',
    broken: true,
    limiter: leakingOne,
    verdict: 'fail',
  },
] as const satisfies readonly OpenModelImportCase[]

function conforming(account: number): Limiter {
  const { count, windowSeconds } = OPEN_MODEL_LIMIT
  return fixedLattice(count, 1000 * windowSeconds, 7000 * account + 700)
}

/** In every window that is overstepped some are admitted beyond its budget. */
function leakingOne(account: number): Limiter {
  return leaking(conforming(account), 0.02, seeded(account))
}

/** What the child is to plan. */
export type OpenModelImportJob = {
  readonly file: string
  readonly scenario: OpenModelName
  readonly sessions: number
  readonly seconds: number
}

export function measureOpenModelImport(
  each: OpenModelImportCase,
  exchanges: number,
): Promise<ImportResult> {
  const { mix } = OPEN_MODELS[each.scenario]
  const { count, windowSeconds } = OPEN_MODEL_LIMIT
  // No kind of client sends more than four requests to one counter.
  const perSecond = (OFFERED_SHARE * OPEN_MODEL_KEYS * count) / windowSeconds / 4
  return importInChild(each, 'load-open-model-import-child.ts', async (file) => {
    const load = { ...each, mix, exchanges, perSecond, keys: OPEN_MODEL_KEYS }
    const sessions = await writeOpenModel(file, load)
    const job: OpenModelImportJob = {
      file,
      scenario: each.scenario,
      sessions,
      seconds: sessions / perSecond,
    }
    return [JSON.stringify(job)]
  })
}
