import { dueSeconds, sessionsOf } from '../../../load/protocol/arrival-schedule.ts'
import type { RateStage } from '../../../load/protocol/open-model.ts'
import type { Micros } from '../../money.ts'
import type { Target } from '../../target-file/target.ts'
import { browseStatements, judgeBrowse } from './browse-judge.ts'
import type { OpenModelEvidence } from './import.ts'
import type { Mix, OpenModelPlan } from './plan.ts'
import type { OpenModelContext } from './context.ts'
import type { Judgement } from '../shared/conclusion.ts'
import { cartPurchasable } from './purchasables.ts'
import { judgeSessions } from './sessions-judge.ts'

/** What differs between scenarios of the open model: who comes, and what is asked of their answers beyond what all have in common. */
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
  judge(evidence: OpenModelEvidence, plan: OpenModelPlan, context: OpenModelContext): Judgement
}

export const OPEN_MODEL_NAMES = ['browse', 'polling', 'checkout', 'mixed'] as const
export type OpenModelName = (typeof OPEN_MODEL_NAMES)[number]

/** On each key. */
const CARTS_AT_ONCE = 4

/** Pairs of carts on one key at the same time that show contention. */
const PAIRS_MIN = 3

/** Of carts: as many as show a race at the caps with all but certainty. */
const CART_ACCOUNTS = 8

export const OPEN_MODELS: Readonly<Record<OpenModelName, OpenModelScenario>> = {
  browse: { mix: [{ kind: 'browse', weight: 1 }], judge: judgeBrowse },
  polling: { mix: [{ kind: 'buyer', weight: 1 }], judge: (...given) => judgeSessions(...given, 0) },
  checkout: {
    mix: [{ kind: 'shopper', weight: 1 }],
    accounts: CART_ACCOUNTS,
    shape: (stages, keys) => inRushes(stages, CARTS_AT_ONCE * keys),
    capsOf: cartCaps,
    judge: (...given) => judgeSessions(...given, PAIRS_MIN),
  },
  mixed: {
    mix: [
      { kind: 'browse', weight: 7 },
      { kind: 'buyer', weight: 2 },
      { kind: 'shopper', weight: 1 },
    ],
    judge(evidence, plan, context) {
      const judgement = judgeSessions(evidence, plan, context, 0)
      judgement.statements.add(browseStatements(evidence, plan))
      return judgement
    },
  },
}

export function isOpenModelName(name: string): name is OpenModelName {
  return OPEN_MODEL_NAMES.some((each) => each === name)
}

/** Each capped key reaches its cap once, and a race there may be missed: several keys miss it together far more rarely. */
const CAPPED_OF_KEYS = { capped: 3, keys: 4 } as const

/**
 * Caps of fresh keys that buy carts: most have room for half of their carts, and then for the dearest position of another one but not
 * for all of it. The others have none.
 */
export function cartCaps(
  target: Target,
  keys: number,
  sessionsPerKey: number,
): readonly (Micros | undefined)[] {
  const purchasable = cartPurchasable(target)
  if ('lacks' in purchasable) return Array.from({ length: keys }, () => undefined)
  const { price, dearest } = purchasable
  const carts = BigInt(Math.max(1, Math.floor(sessionsPerKey / 2)))
  return Array.from({ length: keys }, (_, key) =>
    key % CAPPED_OF_KEYS.keys < CAPPED_OF_KEYS.capped ? carts * price + dearest : undefined,
  )
}

/** All sessions of a rush come within this time: short beside what a service needs for a purchase. */
const RUSH_SECONDS = 0.001

/**
 * The same sessions in the same time, but gathered: so many come at once, when the last of them would have come. Those that do not
 * fill a rush come at the end.
 */
export function inRushes(stages: readonly RateStage[], sessionsPerRush: number): RateStage[] {
  const sessions = sessionsOf(stages)
  const rushes: RateStage[] = []
  let atSeconds = 0
  for (let from = 0; from < sessions; from += sessionsPerRush) {
    const count = Math.min(sessionsPerRush, sessions - from)
    const dueAtSeconds = dueSeconds(stages, from + count - 1) ?? atSeconds
    const waitSeconds = Math.max(0, dueAtSeconds - atSeconds - RUSH_SECONDS)
    const perSecond = count / RUSH_SECONDS
    rushes.push(
      { seconds: waitSeconds, fromPerSecond: 0, toPerSecond: 0 },
      { seconds: RUSH_SECONDS, fromPerSecond: perSecond, toPerSecond: perSecond },
    )
    atSeconds += waitSeconds + RUSH_SECONDS
  }
  return rushes.filter(({ seconds }) => seconds > 0)
}
