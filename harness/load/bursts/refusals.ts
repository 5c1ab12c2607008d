import { STATUS_CODE } from '../../../contract/wire.ts'
import { parseRetryAfterSeconds } from '../../judge/limiter.ts'
import type { Statement } from '../shared/statements.ts'

type Refusal = { readonly code?: number | undefined; readonly retryAfter?: string | undefined }

/** What every 429 must carry: statusCode 8, and a Retry-After in whole seconds. */
export function refusalStatements(refusals: readonly Refusal[], name: string): Statement[] {
  if (refusals.length === 0) return []
  const judged = [
    ['RATE-05', ({ code }: Refusal) => code === STATUS_CODE.limitReached, 'statusCode 8'],
    ['RATE-06', ({ retryAfter }: Refusal) => retryAfter !== undefined, 'a Retry-After'],
    [
      'RATE-07',
      ({ retryAfter }: Refusal) =>
        retryAfter === undefined || parseRetryAfterSeconds(retryAfter) !== undefined,
      'no Retry-After but in whole seconds',
    ],
  ] as const
  return judged.map(([requirement, isRight, what]): Statement => {
    const wrong = refusals.filter((refusal) => !isRight(refusal))
    const [first] = wrong
    const shown = first
      ? `, the first: statusCode ${first.code}, Retry-After ${first.retryAfter}`
      : ''
    return {
      requirement,
      verdict: first ? 'fail' : 'pass',
      observed: `${name}: ${refusals.length - wrong.length} of ${refusals.length} refusals had ${what}${shown}`,
    }
  })
}
