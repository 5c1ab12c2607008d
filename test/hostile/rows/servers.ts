/** Servers that are hostile from the first request. */
import type http from 'node:http'
import { answering } from '../../verdict/servers.ts'
import type { Row } from '../row.ts'
import { stranger } from '../servers.ts'

const SELECTION = ['--only', 'auth,envelope,catalog,content-type'] as const

/** A server that answers every request in one way, seen from its address alone. */
const always = (
  probe: number,
  what: string,
  handler: http.RequestListener,
  expected: Pick<Row, 'exit' | 'says' | 'record'>,
): Row => ({
  probes: [probe],
  what,
  against: () => stranger(answering(handler)),
  parameters: SELECTION,
  ...expected,
})

export const SERVERS: readonly Row[] = [
  always(27, 'HTML with 200 everywhere', (_, response) => response.end('<html>'), {
    exit: 3,
    says: [/E_ENVIRONMENT_STRANGER/, /nothing of it is an envelope/],
    record: { verdict: 'untested' },
  }),
]
