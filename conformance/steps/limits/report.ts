import type { CheckContext, Exchange, Needs } from '../../engine/kit.ts'
import { needSuccess, showAnswer, untested } from '../../engine/kit.ts'

/** What every check of the report of limits needs. */
export const READS_LIMITS = {
  capabilities: ['rate-limits'],
  roles: ['full'],
  rolesIfKnown: ['funds'],
} as const satisfies Needs

/** GET /rate-limits, by the role full or, where that lacks a scope for it, by the role funds (OPEN-63). */
export async function readLimits({ api, keys, observe }: CheckContext): Promise<Exchange> {
  const exchange = await api.as('full').rateLimits()
  if (exchange.response?.status !== 403) return needSuccess(exchange)
  observe('OPEN-63', `GET /rate-limits without funds:read: ${showAnswer(exchange)}`, [exchange])
  if (!keys.has('funds'))
    untested(
      'GET /rate-limits is forbidden to the role full, and no key of the role funds is known',
    )
  return needSuccess(await api.as('funds').rateLimits())
}
