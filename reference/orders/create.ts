/** POST /api/v1/orders */
import { type Body, type JsonObject, requireJson } from '../http/body.ts'
import type { Call } from '../model/call.ts'
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

export function createOrder(call: Call): Promise<Answer> {
  const body = requireJson(call.body)
  const isMeant = isCheck(body) || isTakenForCheck(call, body)
  return isMeant ? answerCheck(call, body) : inTurn(call, body, placeOrder)
}

/** Only a fault does not look at what checkOnly says. */
function isTakenForCheck({ context: { faults } }: Call, body: JsonObject): boolean {
  const names = body['ordersType'] === 'dtu' && Object.hasOwn(body, 'checkOnly')
  return names && faults.has('check-only-by-presence')
}

function placeOrder(call: Call, body: JsonObject): Promise<Answer> {
  return asRefusedBefore(call, body, { kind: 'order', act: place })
}

async function place(call: Call, body: JsonObject): Promise<Answer> {
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

type Act = (call: Call, body: JsonObject) => Promise<Answer>

/** A variant lets requests with one reference wait for each other. */
export async function inTurn(call: Call, body: JsonObject, act: Act): Promise<Answer> {
  const { context, key } = call
  const { referenceId } = body
  if (context.variants.has('contention-queued') && typeof referenceId === 'string')
    while (context.orders.claimant(key, referenceId)) await context.clock.sleep(1)
  return act(call, body)
}

/** The bucket of POST /orders depends on the body, which is read before anything is known to be valid. */
export function asksForCheck(body: Body): boolean {
  return isCheck(body.json)
}
