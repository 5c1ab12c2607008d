import { openTransport } from '../client/open-transport.ts'
import { RealClock } from '../clock.ts'
import type { Redactor } from '../record/redact.ts'
import type { Target } from '../target-file/target.ts'
import type { Introducing } from './introduce.ts'
import { watchedAccounts } from './watched-accounts.ts'

/** What a target is asked with before anything else is sent to it: its accounts, and a way to it that is closed at the end. */
export function approach(
  target: Target,
  redactor: Redactor,
  { runId, signal }: { readonly runId: string; readonly signal?: AbortSignal },
): Introducing & AsyncDisposable {
  const transport = openTransport(target, { runId })
  return {
    target,
    accounts: watchedAccounts(target, redactor),
    transport,
    clock: new RealClock(),
    ...(signal && { signal }),
    [Symbol.asyncDispose]: () => transport.close(),
  }
}
