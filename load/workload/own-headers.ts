/** Headers that the caller adds to every request (--header). Never one that the harness sends itself: those are refused before k6 starts. */
import { PLAN_ENV } from '../protocol/plan.ts'

type Headers = Readonly<Record<string, string>>

const own = JSON.parse(__ENV[PLAN_ENV.headers] ?? 'null') as Headers | null

/** The headers of a request, and the caller's. */
export function withOwnHeaders(headers: Headers): Headers {
  // Copying costs as much as a small request: only where there is something to add.
  return own === null ? headers : { ...own, ...headers }
}
