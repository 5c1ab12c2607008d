/** The answer to a purchase whose reference was used before. */
import type { Context } from '../model/context.ts'
import type { FaultSet } from '../faults/faults.ts'
import type { JsonObject } from '../http/body.ts'
import type { Call } from '../model/call.ts'
import { type Answer, type Refusal, refusal } from '../http/answer.ts'
import { CODES } from '../http/status-codes.ts'
import { canonicalGiftOf } from '../gifts/read-line.ts'
import { answerReplayed } from './answer.ts'
import { chargeAgain } from './charge-faults.ts'
import type { Purchase } from '../model/order.ts'
import { purchase } from './purchase.ts'
import { differs } from './earlier-purchase.ts'
import { readPlan } from './read-order.ts'

export async function replay(call: Call, body: JsonObject, earlier: Purchase): Promise<Answer> {
  const { context, key } = call
  const { faults } = context
  const { variants } = context
  if (earlier.key !== key && variants.has('foreign-reference-conflict'))
    throw refusal(409, CODES.conflict, 'The referenceId was used by another key.', {
      errorCode: 'reference_taken',
    })
  // Read for what is wrong with it only.
  if (earlier.kind === 'order' && variants.has('replay-validates-body')) readPlan(call, body)
  if (conflicts(call, body, earlier)) {
    if (faults.has('gift-conflict-buys')) await purchase(context, key, readPlan(call, body))
    throw giftConflict(faults)
  }
  const isOther = differs(earlier, body)
  for (const { id } of earlier.orders) {
    faults.noteMoment('unhide-budget-anew-by-replay', id, call.nowMs)
    faults.note('replayed-orders-visible', `${key.id}|${id}`)
  }
  if (!faults.isEmpty) chargeAgain(faults, earlier, { replayer: key, isOther })
  return answerReplayed(context, earlier, key, isOther)
}

function giftConflict(faults: FaultSet): Refusal {
  const isOfCap = faults.has('gift-conflict-status-code-cap')
  const statusCode = isOfCap ? CODES.apiKeyLimitExceeded : CODES.conflict
  return refusal(409, statusCode, 'The referenceId belongs to a different gift.', {
    errorCode: 'reference_payload_conflict',
  })
}

function conflicts({ context, key }: Call, body: JsonObject, earlier: Purchase): boolean {
  const { faults } = context
  if (earlier.key !== key && faults.has('gift-conflict-replayed-to-siblings')) return false
  const { canonicalPayload, referenceId } = earlier
  if (differs(earlier, body) && faults.has('replay-refuses-other-body')) return true
  if (canonicalPayload === undefined) return false
  if (faults.has('gift-conflict-until-finished') && hasEnded(earlier, context)) return false
  if (faults.has('gift-replay-by-text')) return differs(earlier, body)
  const canonical = canonicalGiftOf(context, body)
  if (canonical === canonicalPayload) return false
  if (
    faults.has('gift-conflict-of-regions-only') &&
    regionOf(canonical) === regionOf(canonicalPayload)
  )
    return false
  if (
    faults.has('gift-conflict-ignores-addresses') &&
    placeOf(canonical) === placeOf(canonicalPayload)
  )
    return false
  if (faults.hasNoted('gift-conflict-passes', referenceId)) return false
  faults.note('gift-conflict-passes', referenceId)
  return true
}

function hasEnded({ orders }: Purchase, { clock }: Context): boolean {
  return orders.every(({ readyAtMs }) => clock.nowMs() >= readyAtMs)
}

/** What one fault compares of a canonical payload: edition and region. */
function placeOf(canonical: string | undefined): string {
  return (JSON.parse(canonical ?? '[]') as unknown[]).slice(0, 2).join()
}

/** What one fault compares of a canonical payload. */
function regionOf(canonical: string | undefined): unknown {
  return (JSON.parse(canonical ?? '[]') as unknown[])[1]
}
