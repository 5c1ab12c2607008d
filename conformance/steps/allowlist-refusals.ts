import { ipsIn } from '../../harness/judge/addresses.ts'
import type { CallOptions, CheckContext, Exchange } from '../engine/kit.ts'
import { messageOf, needSuccess, readableBody, show, showAnswer, untested } from '../engine/kit.ts'

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
  return exchange.response?.status === 403 && /allow-?list/i.test(readableBody(exchange))
}

/** Whatever a caller gets to see of an answer. */
export function visibleText(exchange: Exchange): string {
  const values = (exchange.response?.headers ?? []).map(([, value]) => value)
  return [readableBody(exchange), ...values].join('\n')
}

const FORM = /^Forbidden: .*\bcaller\b.*\bnot in\b.*\ballowlist\b/
/** The form takes a fraction of it. */
const FORM_LENGTH_MAX = 2_000

/** The message of a refusal for the allowlist says so. What is answered by another status breaks ALLOW-02. */
export function expectForm({ expect }: CheckContext, exchange: Exchange): void {
  const message = messageOf(exchange)
  expect('ALLOW-09').that('the message of an allowlist 403', {
    holds: exchange.response?.status !== 403 || FORM.test(message.slice(0, FORM_LENGTH_MAX)),
    expected: 'of the form "Forbidden: caller IP <ip> is not in this API key\'s allowlist"',
    ...(message && { observed: show(message) }),
    exchanges: [exchange],
  })
}

/** That it is the caller's own is decided by checks of one call; whatever is refused gives one. */
export function expectAddress({ expect }: CheckContext, exchange: Exchange): void {
  const message = messageOf(exchange).slice(0, FORM_LENGTH_MAX)
  expect('ALLOW-10').that('the message of an allowlist 403', {
    holds: exchange.response?.status !== 403 || ipsIn(message).length > 0,
    expected: 'the address of the caller in it',
    ...(message && { observed: show(message) }),
    exchanges: [exchange],
  })
}

/** Whether a text has an entry. One that another address only continues, such as that of the caller, is not there. */
export function hasEntry(text: string, entry: string): boolean {
  const plain = entry.replaceAll(/\W/g, String.raw`\$&`)
  return new RegExp(String.raw`(?<![\w:.])${plain}(?![\w:]|\.\d)`).test(text)
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
  const shown = entries.filter((entry) => hasEntry(visibleText(exchange), entry))
  expect('ALLOW-11').that('a refusal shows no entry of the allowlist', {
    holds: shown.length === 0,
    expected: 'no entry in body and headers',
    observed:
      shown.length > 0 ? `${shown.join(', ')} in ${showAnswer(exchange)}` : showAnswer(exchange),
    exchanges: [exchange],
  })
}
