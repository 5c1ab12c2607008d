/** One endpoint that always answers 500, also where no check can judge it because all stop at it. */
import { expect } from 'vitest'
import type { Front } from '../../verdict/servers.ts'
import type { Row } from '../row.ts'
import { service } from '../servers.ts'

const BROKEN = JSON.stringify({
  status: 'CANCELLED',
  statusCode: 5,
  statusMessage: 'internal error',
  traceId: 't-500',
})

/** Answers 500 to one kind of request; with `after`, once the service has carried it out. */
const broken =
  (isOfKind: (method: string, path: string) => boolean): Front =>
  ({ method, url }) =>
    isOfKind(method, new URL(url, 'http://x').pathname)
      ? { status: 500, headers: { 'content-type': 'application/json' }, body: BROKEN }
      : 'pass'

const getItem = broken((method, path) => method === 'GET' && /\/items\/[^/]+$/.test(path))
const lookup = broken((_, path) => path.endsWith('/lookup'))
const carts = broken((_, path) => path === '/carts')
const orders = broken((method, path) => method === 'POST' && path.endsWith('/orders'))

const red = (
  probe: number,
  what: string,
  front: Front,
  parameters: readonly string[],
  sentence: RegExp,
): Row => ({
  probes: [probe],
  what,
  against: () => service(front),
  parameters,
  exit: 1,
  says: [sentence],
  record: { verdict: 'fail' },
  also: (_, record) => {
    expect(record?.nextStep).not.toContain('--floor')
  },
})

// Checks that take a single item for granted, without the one that is named for it.
const STOPPED = 'lookup.single-item,lookup.esim-currency,lookup.scopes-suffice,lookup.elements'

export const ENDPOINTS: readonly Row[] = [
  red(55, 'every single item, seen by all checks', getItem, ['--only', 'lookup'], /HTTP 500/),
  red(
    56,
    'every single item, seen by none that judges it, with a lowered floor',
    getItem,
    ['--only', STOPPED, '--floor', '1'],
    /answers HTTP 500 to all \d+ requests/,
  ),
  red(57, 'every lookup', lookup, ['--only', 'lookup', '--floor', '50'], /HTTP 500/),
  red(58, 'every checkout', carts, ['--only', 'cart.answer'], /HTTP 500/),
  red(
    60,
    'every order, seen by the checks that are named for it',
    orders,
    ['--only', 'orders.create,answers.unhide'],
    /HTTP 500/,
  ),
  red(
    61,
    'every order, seen by none that judges it, with a lowered floor',
    orders,
    ['--only', 'idempotency', '--floor', '1'],
    /answers HTTP 500 to all \d+ requests/,
  ),
]
