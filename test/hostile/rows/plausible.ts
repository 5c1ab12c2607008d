/** Services that are wrong wherever one looks, or that are right where little is there to judge them by. */
import { expect } from 'vitest'
import { type Front, answering } from '../../verdict/servers.ts'
import type { Row } from '../row.ts'
import { service, stranger } from '../servers.ts'

const ORDERS = ['--only', 'orders,envelope,idempotency.replay']

const SUCCESS = { status: 'SUCCESS', statusCode: 0, statusMessage: 'OK', traceId: 't' }
const ORDER = { ...SUCCESS, orderId: 'o', price: 1, currency: 'USD', result: { vouchers: [] } }
const RICH = {
  ...ORDER,
  id: 'i',
  inStock: 1,
  name: 'n',
  items: [ORDER],
  page: { items: [ORDER] },
  total: 1,
  address: '127.0.0.1',
}

/** Each answer has the body of the one before. */
function swapped(): Front {
  let before = '{}'
  return () => ({
    change: (answer) => {
      const { body } = answer
      const swappedAnswer = { ...answer, body: before }
      before = body
      return swappedAnswer
    },
  })
}

const isServices = (url: string): boolean => url.startsWith('/api/v1/services')

/** So many items that no client reads them to their end. */
const HUGE = JSON.stringify({
  ...SUCCESS,
  data: Array.from({ length: 200_000 }, (_, index) => ({
    id: `item-${index}`,
    name: `An item whose number is ${index}`,
    currency: 'USD',
    price: 1,
    inStock: 1,
  })),
})

const TWO_HOURS_MS = 7_200_000

const ahead: Front = () => ({
  change: (answer) => ({
    ...answer,
    headers: { ...answer.headers, date: new Date(Date.now() + TWO_HOURS_MS).toUTCString() },
  }),
})

const fails = { exit: 1, says: [/breaks \d+ of/], record: { verdict: 'fail' } } as const

export const PLAUSIBLE: readonly Row[] = [
  {
    probes: [18],
    what: 'success for everyone, and the profile that reads only',
    against: () =>
      stranger(
        answering((_, response) => response.end(JSON.stringify({ ...SUCCESS, data: RICH }))),
      ),
    parameters: ['--profile', 'read-only'],
    ...fails,
  },
  {
    probes: [46],
    what: 'each answer with the body of the one before',
    against: () => service(swapped()),
    parameters: ORDERS,
    ...fails,
  },
  {
    probes: [47],
    what: 'a catalog of 200,000 items',
    against: () => service(({ url }) => (isServices(url) ? { status: 200, body: HUGE } : 'pass')),
    parameters: ['--only', 'catalog'],
    by: 'process',
    exit: 5,
    says: [/the answer is longer than the client reads \(\d+ characters\)/],
    record: { verdict: 'untested' },
  },
  {
    probes: [52],
    what: 'a Date two hours ahead, and times of orders that are right',
    against: () => service(ahead),
    parameters: ['--only', 'orders.every-createdat-now,idempotency.replay'],
    exit: 0,
    says: [/clock|Date/],
    record: { verdict: 'pass' },
    also: (_, record) => {
      const times = record?.requirements.find(({ id }) => id === 'ORD-09')
      expect(times?.verdict).toBe('pass')
      expect(record?.hazards.join(' ')).toMatch(/clock/i)
    },
  },
  {
    probes: [95],
    what: 'a heap of 48 MB',
    against: async () => {
      const served = await service()
      return { ...served, env: { ...served.env, NODE_OPTIONS: '--max-old-space-size=48' } }
    },
    by: 'process',
    parameters: ['--only', 'auth.missing-key,envelope'],
    exit: 0,
    says: [/Pass/],
    record: { verdict: 'pass' },
  },
]
