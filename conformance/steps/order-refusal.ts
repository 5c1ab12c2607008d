import type { CheckContext, Exchange, RequirementId } from '../engine/kit.ts'
import { meaningOf, showAnswer } from '../engine/kit.ts'
import { findsNothing } from './orders.ts'

/** Statuses that answer other conditions: key, scope, allowlist, path, method, media type, window. */
const OTHER_CONDITIONS: ReadonlySet<number> = new Set([401, 403, 404, 405, 415])

/** Refused for what the body says: a client error that is not the answer of another condition. */
export function isRefusedForBody(exchange: Exchange): boolean {
  const status = exchange.response?.status ?? 0
  return isRefusedOtherwise(exchange) && !OTHER_CONDITIONS.has(status)
}

/** Refused in any way but by a window or the cap: the same key, path and method have just been accepted. */
export function isRefusedOtherwise(exchange: Exchange): boolean {
  return meaningOf(exchange) === 'refused otherwise'
}

/** The purchase was refused, and its reference finds no order. */
export async function expectNoOrder(
  { api, expect }: CheckContext,
  requirement: RequirementId,
  {
    statement,
    refused,
    referenceId,
    isRefused = isRefusedForBody,
  }: {
    readonly statement: string
    readonly refused: Exchange
    readonly referenceId: string
    readonly isRefused?: (exchange: Exchange) => boolean
  },
): Promise<void> {
  const found = await api.as('full').getOrders({ referenceId })
  expect(requirement).that(statement, {
    holds: isRefused(refused) && findsNothing(found),
    expected: 'a client error for the body (such as HTTP 422), and no order under its referenceId',
    observed: `${showAnswer(refused)}; then ${showAnswer(found)}`,
    exchanges: [refused, found],
    offending: isRefused(refused) ? found : refused,
  })
}
