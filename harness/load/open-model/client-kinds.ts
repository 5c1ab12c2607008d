import type { SessionKind } from '../../../load/protocol/open-model.ts'
import type { Target } from '../../target-file/target.ts'
import { browsePlan } from './browse-plan.ts'
import type { Lacks } from '../shared/lacks.ts'
import type { ClientPlan } from './client-plan.ts'
import { buyerPlan, ordererPart, shopperPlan } from './buyer-plans.ts'

const PARTS: Readonly<Record<SessionKind, (target: Target) => ClientPlan | Lacks>> = {
  browse: browsePlan,
  buyer: buyerPlan,
  shopper: shopperPlan,
  orderer: ordererPart,
}

/** The part of a kind, or what the target lacks for it. */
export function clientPlanOf(kind: SessionKind, target: Target): ClientPlan | Lacks {
  return PARTS[kind](target)
}
