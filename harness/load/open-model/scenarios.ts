import type { RateStage } from '../../../load/protocol/open-model.ts'
import type { Micros } from '../../money.ts'
import type { Target } from '../../target-file/target.ts'
import { judgeBrowse } from './browse-judge.ts'
import type { OpenModelEvidence } from './import.ts'
import type { Mix, OpenModelPlan } from './plan.ts'
import type { OpenModelContext } from './draft.ts'
import type { OpenModelJudgement } from './result.ts'
import { cartCaps } from './sessions-caps.ts'
import { inRushes } from './sessions-rush.ts'
import { judgeCheckout, judgeMixed, judgePolling } from './sessions-scenarios.ts'

/** What differs between scenarios of arrivals: who comes, and what is asked of their answers beyond what all have in common. */
export type OpenModelScenario = {
  readonly mix: Mix
  /** Accounts that are made where the target can, unless a rate asks for more or fewer. Default: 4. */
  readonly accounts?: number
  /** When sessions come, made out of what the workload says. */
  readonly shape?: (stages: readonly RateStage[], keys: number) => readonly RateStage[]
  /** Caps of fresh keys, for so many sessions on each; undefined: no cap. */
  readonly capsOf?: (
    target: Target,
    keys: number,
    sessionsPerKey: number,
  ) => readonly (Micros | undefined)[]
  judge(
    evidence: OpenModelEvidence,
    plan: OpenModelPlan,
    context: OpenModelContext,
  ): OpenModelJudgement
}

export const OPEN_MODEL_NAMES = ['browse', 'polling', 'checkout', 'mixed'] as const
export type OpenModelName = (typeof OPEN_MODEL_NAMES)[number]

/** On each key. */
const CARTS_AT_ONCE = 4

/** Of carts: as many as show a race at the caps with all but certainty. */
const CART_ACCOUNTS = 8

export const OPEN_MODELS: Readonly<Record<OpenModelName, OpenModelScenario>> = {
  browse: { mix: [{ kind: 'browse', weight: 1 }], judge: judgeBrowse },
  polling: { mix: [{ kind: 'buyer', weight: 1 }], judge: judgePolling },
  checkout: {
    mix: [{ kind: 'shopper', weight: 1 }],
    accounts: CART_ACCOUNTS,
    shape: (stages, keys) => inRushes(stages, CARTS_AT_ONCE * keys),
    capsOf: cartCaps,
    judge: judgeCheckout,
  },
  mixed: {
    mix: [
      { kind: 'browse', weight: 7 },
      { kind: 'buyer', weight: 2 },
      { kind: 'shopper', weight: 1 },
    ],
    judge: judgeMixed,
  },
}

export function isOpenModelName(name: string): name is OpenModelName {
  return OPEN_MODEL_NAMES.some((each) => each === name)
}
