import { describe, expect, test } from 'vitest'
import { BUCKETS, DEFAULT_LIMITS } from '../../contract/limits.ts'
import { selectOne } from '../target-file/select.ts'
import { windowSelectors } from '../target-file/windows-pattern.ts'
import { findLimits, limitNamed } from './find-limits.ts'

const TITLES = {
  default: 'default',
  'orders.check': 'POST /orders (check)',
  'orders.list': 'GET /orders',
  'orders.filtered': 'GET /orders (filtered)',
  'orders.unhide.pending': 'GET /orders (unhide pending)',
  'orders.unhide.completed': 'GET /orders (unhide completed)',
  'orders.unhide.admission': 'GET /orders (unhide admission)',
} as const

/** The selectors that are proposed one by one are those that the pattern stands for. */
function expectPattern(json: unknown): void {
  const { proposals, windows } = findLimits(json)
  if (windows)
    expect(windowSelectors(windows)).toEqual(
      Object.fromEntries(proposals.map(({ at, value }) => [at[3], value])),
    )
}

type Window = { readonly count: number; readonly windowSeconds: number }

/** What the proposals find, by bucket. */
function read(json: unknown): Record<string, unknown> {
  return Object.fromEntries(
    findLimits(json)
      .proposals.filter(({ at }) => at[2] === 'selectors')
      .map(({ at, value }) => [at[3] ?? '', selectOne(String(value), json)]),
  )
}

function expected(
  limits: Readonly<Record<string, Window>> = DEFAULT_LIMITS,
): Record<string, unknown> {
  return Object.fromEntries(
    BUCKETS.flatMap((bucket) => [
      [`${bucket}.count`, limits[bucket]?.count],
      [`${bucket}.windowSeconds`, limits[bucket]?.windowSeconds],
    ]),
  )
}

const each = <T>(make: (title: string, window: Window, bucket: string) => T): T[] =>
  BUCKETS.map((bucket) => make(TITLES[bucket], DEFAULT_LIMITS[bucket], bucket))

describe('a report of limits', () => {
  test.each([
    [
      'a list with names',
      {
        data: each((name, { count, windowSeconds }) => ({ name, max: count, per: windowSeconds })),
      },
    ],
    [
      'a list whose windows lie deeper',
      {
        data: {
          rules: each((title, { count, windowSeconds }) => ({
            id: title.length,
            on: { title },
            budget: { tokens: count, intervalSec: windowSeconds },
          })),
        },
      },
    ],
    [
      'windows by name',
      {
        data: Object.fromEntries(
          each((title, { count, windowSeconds }) => [
            title,
            { limit: count, window: windowSeconds },
          ]),
        ),
      },
    ],
    [
      'windows by names of the own',
      {
        data: {
          buckets: Object.fromEntries(
            each((_title, { count, windowSeconds }, bucket) => [
              bucket.replaceAll('.', '_'),
              { requests: count, seconds: windowSeconds },
            ]),
          ),
        },
      },
    ],
    [
      'numbers as text, and a quote in a name',
      {
        "it's": each((name, { count, windowSeconds }) => ({
          name,
          count: String(count),
          seconds: String(windowSeconds),
        })),
      },
    ],
  ])('%s', (_what, json) => {
    expectPattern(json)
    const found = read(json)
    const wanted = Object.fromEntries(
      Object.entries(expected()).map(([name, value]) => [
        name,
        typeof Object.values(found)[0] === 'string' ? String(value) : value,
      ]),
    )
    expect(found).toEqual(wanted)
  })

  test('with rules other than the defaults, by the names of its members', () => {
    const json = each((name, { count, windowSeconds }) => ({
      name,
      maxRequests: count + 7,
      windowSec: windowSeconds + 30,
    }))
    const found = findLimits(json).proposals
    expect(found.map(({ certainty }) => certainty)).toContain('likely')
    expect(read(json)['orders.list.count']).toBe(9)
    expect(read(json)['orders.list.windowSeconds']).toBe(90)
  })

  test.each(['windowMs', 'period'])('with windows in milliseconds, as %s', (member) => {
    const json = each((name, { count, windowSeconds }) => ({
      name,
      max: count,
      [member]: windowSeconds * 1000,
    }))
    expect(read(json)).toMatchObject({
      'orders.list.count': 2,
      'orders.list.windowSeconds': 60_000,
    })
    const window = findLimits(json).proposals.find(({ at }) => /windowSec/.test(at[3] ?? ''))
    expect(window?.excerpt).toBe('60')
    expect(findLimits(json).proposals).toContainEqual(
      expect.objectContaining({
        at: ['operations', 'rateLimits', 'windowUnit'],
        value: 'milliseconds',
      }),
    )
  })

  test('with windows as durations', () => {
    const json = each((name, { count, windowSeconds }) => ({
      name,
      max: count,
      every: windowSeconds === 60 ? '1m0s' : `${windowSeconds}s`,
    }))
    expect(read(json)).toMatchObject({
      'orders.list.count': 2,
      'orders.list.windowSeconds': '1m0s',
    })
  })

  test('says where a window comes from', () => {
    const json = each((name, window) => ({
      name,
      ...window,
      origin: name === 'GET /orders' ? 'rule' : 'default',
    }))
    expect(read(json)).toMatchObject({ 'orders.list.source': 'rule', 'default.source': 'default' })
  })

  test.each([
    [
      'two windows of one name',
      {
        data: [
          ...each((name, window) => ({ name, ...window })),
          { name: 'GET /orders', count: 5, windowSeconds: 60 },
        ],
      },
      'orders.list.count',
    ],
  ])('%s: neither is taken', (_what, json, missing) => {
    expect(Object.keys(read(json))).not.toContain(missing)
    expect(Object.keys(read(json))).toHaveLength(2 * (BUCKETS.length - 1))
  })

  test.each([
    ['no names', { data: [{ count: 1000, windowSeconds: 60 }] }],
    ['no numbers', { data: each((name) => ({ name })) }],
    ['nothing', undefined],
    ['a text', 'limits'],
  ])('with %s is left open', (_what, json) => {
    expect(findLimits(json)).toEqual({ proposals: [] })
  })
})

test('a list by the names of the interface needs no names', () => {
  const data = each((title, { count, windowSeconds }) => ({
    title,
    budget: { count, windowSeconds },
  }))
  expect(findLimits({ data }).windows).toEqual({
    list: '/data',
    name: '/title',
    count: '/budget/count',
    windowSeconds: '/budget/windowSeconds',
  })
})

describe('the name of a window', () => {
  test.each([
    ['GET /orders', 'orders.list'],
    ['GET /api/v1/orders', 'orders.list'],
    ['orders.list', 'orders.list'],
    ['orders_listing', 'orders.list'],
    ['get_orders', 'orders.list'],
    ['orders', undefined],
    ['POST /orders', 'operations.createOrder'],
    ['POST /api/v1/orders', 'operations.createOrder'],
    ['checkout of orders', undefined],
    ['GET /whoami', 'operations.whoami'],
    ['/rate-limits', 'operations.rateLimits'],
    ['global default', 'default'],
    ['default currency', undefined],
  ])('%s', (text, limit) => {
    expect(limitNamed(text)).toBe(limit)
  })
})
