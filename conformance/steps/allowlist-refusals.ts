import type { CallOptions, CheckContext, Exchange } from '../engine/kit.ts'
import { messageOf, needSuccess, showAnswer, untested } from '../engine/kit.ts'

/** The call that allowlist checks make: harmless, and possible with the scopes of every key that they use. */
export const BROWSE = { limit: 1 } as const

/** A call that the allowlist of the role blocked refuses, after the same call of an unrestricted key passed. */
export async function needRefusal(
  { api }: CheckContext,
  options: Pick<CallOptions, 'localAddress' | 'headers'>,
): Promise<Exchange> {
  needSuccess(await api.as('full').listServices(BROWSE, options))
  const exchange = await api.as('blocked').listServices(BROWSE, options)
  if (exchange.response?.status !== 403)
    untested(`the allowlist of the role "blocked" does not refuse: ${showAnswer(exchange)}`)
  return exchange
}

/** The statusMessage of a refusal. Untested where there is none: that is judged with the envelope. */
export function needMessage(exchange: Exchange): string {
  const message = messageOf(exchange)
  if (message === '') untested(`the refusal has no statusMessage: ${showAnswer(exchange)}`)
  return message
}

/** A 403 that speaks of the allowlist. */
export function isAllowlistRefusal(exchange: Exchange): boolean {
  return exchange.response?.status === 403 && /allow-?list/i.test(exchange.response.body)
}

/** Whatever a caller gets to see of an answer. */
export function visibleText({ response }: Exchange): string {
  const values = (response?.headers ?? []).map(([, value]) => value)
  return [response?.body ?? '', ...values].join('\n')
}

/** What a caller outside of its list sees names no address of it. */
export function expectNoEntry(
  { keys, expect, leaveUndecided }: CheckContext,
  exchange: Exchange,
): void {
  const entries = keys.key('blocked').allowlist
  if (entries === undefined) {
    leaveUndecided('ALLOW-11', 'the target file does not state credentials.blocked.allowlist')
    return
  }
  const shown = entries.filter((entry) => visibleText(exchange).includes(entry))
  expect('ALLOW-11').that('a refusal shows no entry of the allowlist', {
    holds: shown.length === 0,
    expected: 'no entry in body and headers',
    observed:
      shown.length > 0 ? `${shown.join(', ')} in ${showAnswer(exchange)}` : showAnswer(exchange),
    exchanges: [exchange],
  })
}
