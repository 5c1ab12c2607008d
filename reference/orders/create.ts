/** POST /api/v1/orders */
import { type Body, type JsonObject, requireJson } from '../http/body.ts'
import type { Call } from '../model/call.ts'
import { itemOf, serviceById } from '../model/catalog.ts'
import type { Answer } from '../http/answer.ts'
import { requireJsonDeclared } from './content-type.ts'
import { answerCreated } from './answer.ts'
import { answerCheck, answerOfCheck } from './check.ts'
import { type PurchasePlan, purchase } from './purchase.ts'
import { asRefusedBefore } from './refused-before.ts'
import { lostFaults, lostName, earlierPurchase } from './earlier-purchase.ts'
import { readPlan } from './read-order.ts'
import { replay } from './replay.ts'

/** Whether a body asks for the check of a top-up, which has a bucket of its own. */
export function isCheck(body: JsonObject | undefined): boolean {
  return body?.['ordersType'] === 'dtu' && body['checkOnly'] === true
}

export function createOrder(call: Call): Answer | Promise<Answer> {
  const body = bodyOf(call)
  const isMeant = isCheck(body) || isTakenForCheck(call, body)
  return isMeant ? answerCheck(call, body) : inTurn(call, body, placeOrder)
}

/** A variant ignores isLongOrder where the item supports no long orders. */
function bodyOf({ body, context: { variants } }: Call): JsonObject {
  const json = requireJson(body)
  const { isLongOrder, ...plain } = json
  const isIgnored =
    isLongOrder === true && variants.has('purchases-later-at-times') && !isSoldLong(json)
  return isIgnored ? plain : json
}

function isSoldLong({ serviceId, itemId }: JsonObject): boolean {
  const service = serviceById(String(serviceId))
  return service !== undefined && itemOf(service, String(itemId))?.minQtyToLongOrder !== undefined
}

/** Only a fault does not look at what checkOnly says. */
function isTakenForCheck({ context: { faults } }: Call, body: JsonObject): boolean {
  const names = body['ordersType'] === 'dtu' && Object.hasOwn(body, 'checkOnly')
  return names && faults.has('check-only-by-presence')
}

function placeOrder(call: Call, body: JsonObject): Answer | Promise<Answer> {
  return asRefusedBefore(call, body, { kind: 'order', act: place })
}

function place(call: Call, body: JsonObject): Answer | Promise<Answer> {
  const earlier = earlierPurchase(call, body, 'order')
  if (earlier !== undefined) return replay(call, body, earlier)
  const ofCheck = answerOfCheck(call, body)
  if (ofCheck !== undefined) return ofCheck
  const plan = readPlan(call, body)
  requireJsonDeclared(call)
  return buy(call, plan)
}

/** Creates what a call asks for, and answers it. */
export async function buy({ context, key, isGone }: Call, plan: PurchasePlan): Promise<Answer> {
  const bought = await purchase(context, key, plan)
  if (isGone?.() === true)
    for (const name of lostFaults(bought)) context.faults.note(name, lostName(bought))
  return answerCreated(context, bought)
}

type Act = (call: Call, body: JsonObject) => Answer | Promise<Answer>

/** A variant lets requests with one reference wait for each other. */
export function inTurn(call: Call, body: JsonObject, act: Act): Answer | Promise<Answer> {
  const { referenceId } = body
  const isQueued = call.context.variants.has('contention-queued')
  return isQueued && typeof referenceId === 'string'
    ? afterOthers(call, referenceId, () => act(call, body))
    : act(call, body)
}

async function afterOthers(
  { context, key }: Call,
  referenceId: string,
  act: () => Answer | Promise<Answer>,
): Promise<Answer> {
  while (context.orders.claimant(key, referenceId)) await context.clock.sleep(1)
  return act()
}

/** The bucket of POST /orders depends on the body, which is read before anything is known to be valid. */
export function asksForCheck(body: Body): boolean {
  return isCheck(body.json)
}
