import type { SessionKind } from '../../../load/protocol/arrivals.ts'
import type { Target } from '../../target/target.ts'
import { browsePart } from './browse-part.ts'
import type { Lacks, SessionPart } from './session-parts.ts'
import { buyerPart, shopperPart } from './sessions-parts.ts'

const PARTS: Readonly<Record<SessionKind, (target: Target) => SessionPart | Lacks>> = {
  browse: browsePart,
  buyer: buyerPart,
  shopper: shopperPart,
}

/** The part of a kind, or what the target lacks for it. */
export function partOf(kind: SessionKind, target: Target): SessionPart | Lacks {
  return PARTS[kind](target)
}
