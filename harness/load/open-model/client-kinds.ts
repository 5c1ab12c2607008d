import type { SessionKind } from '../../../load/protocol/open-model.ts'
import type { Target } from '../../target-file/target.ts'
import { browsePart } from './browse-plan.ts'
import type { Lacks } from '../shared/lacks.ts'
import type { SessionPart } from './client-plan.ts'
import { buyerPart, ordererPart, shopperPart } from './buyer-plans.ts'

const PARTS: Readonly<Record<SessionKind, (target: Target) => SessionPart | Lacks>> = {
  browse: browsePart,
  buyer: buyerPart,
  shopper: shopperPart,
  orderer: ordererPart,
}

/** The part of a kind, or what the target lacks for it. */
export function partOf(kind: SessionKind, target: Target): SessionPart | Lacks {
  return PARTS[kind](target)
}
