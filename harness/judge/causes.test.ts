import { describe, expect, it } from 'vitest'
import type { Check, Finding } from '../../schemas/generated/run-record.ts'
import type { OperationName } from '../../contract/operations.ts'
import { finding, sampleCheck } from '../../test/report/sample-parts.ts'
import { exchangeWith } from '../../test/support/exchanges.ts'
import type { Exchange } from '../client/exchange.ts'
import { causesIn } from './causes.ts'
import { foldCauses, type Foldable } from './fold.ts'

const BASE = 'https://shop.example/gateway'
const PATHS = {
  whoami: '/whoami',
  createCart: '/carts',
  listServices: '/api/v1/services',
  getOrders: '/api/v1/orders',
  getItem: '/api/v1/services/{serviceId}/items/{itemId}',
} as const
const METHODS: Partial<Record<OperationName, string>> = { createCart: 'POST' }

let serial = 0

function exchange(
  operation: keyof typeof PATHS,
  change: Partial<Exchange> = {},
  status = 404,
): Exchange {
  serial += 1
  const path = PATHS[operation].replaceAll(/\{(\w+)\}/g, (_, name: string) => `${name}-${serial}`)
  return exchangeWith({
    id: `x${serial}`,
    operation,
    request: { method: METHODS[operation] ?? 'GET', url: `${BASE}${path}?q=${serial}` },
    sentAtMs: serial,
    receivedAtMs: serial + 1,
    response: { status },
    ...change,
  })
}

const ENVELOPE = { status: 'SUCCESS', statusCode: 0, statusMessage: 'OK', traceId: 't' }
const good = (operation: keyof typeof PATHS): Exchange =>
  exchange(operation, { json: ENVELOPE }, 200)
const refused = (operation: keyof typeof PATHS): Exchange =>
  exchange(operation, { role: 'browser', json: ENVELOPE }, 401)
const three = (make: () => Exchange): Exchange[] => [make(), make(), make()]
const seek = (history: Exchange[]) => causesIn(history, { baseUrl: BASE, paths: PATHS })

describe('a cause', () => {
  it('is what every request to an operation met with', () => {
    const carts = three(() => exchange('createCart'))
    const [cause, ...others] = seek([...carts, good('whoami'), good('getOrders')])
    expect(others).toEqual([])
    expect(cause).toMatchObject({ kind: 'no-route', operations: ['createCart'], requests: 3 })
    expect(cause?.exchanges).toEqual(new Set(carts.map(({ id }) => id)))
  })

  it.each([
    ['getItem', ', or leave "item-lookup" out of capabilities.'],
    ['createCart', ', or leave "cart" out of capabilities.'],
    ['getOrders', 'Serve it, or correct operations.getOrders.path in the target file.'],
  ] as const)('says that %s may belong to a part that the target lacks', (operation, step) => {
    const [cause] = seek([...three(() => exchange(operation)), good('whoami')])
    expect(cause?.nextStep).toContain(step)
  })

  it.each<[string, (other: Exchange) => Exchange]>([
    ['a success', () => good('createCart')],
    ['another refusal', () => exchange('createCart', { json: ENVELOPE }, 422)],
    ['another failure', () => exchange('createCart', { json: ENVELOPE }, 500)],
  ])('is none with one exception: %s', (_, other) => {
    const history = [...three(() => exchange('createCart')), good('whoami')]
    expect(seek([...history, other(good('whoami'))])).toEqual([])
  })

  it('is none of two requests, and none of those that are refused for their key or their window', () => {
    expect(seek([exchange('createCart'), exchange('createCart'), good('whoami')])).toEqual([])
    const forbidden = three(() => exchange('getOrders', { role: 'unscoped', json: ENVELOPE }, 403))
    expect(seek([...forbidden, good('getOrders')])).toEqual([])
    const throttled = three(() => exchange('getOrders', { json: ENVELOPE }, 429))
    expect(seek([...throttled, good('getOrders'), good('whoami')])).toEqual([])
  })

  it('is a window that never opens, which fails nothing', () => {
    const throttled = three(() => exchange('getOrders', { json: ENVELOPE }, 429))
    const found = seek([...throttled, good('whoami')])
    expect(found).toMatchObject([{ kind: 'throttled', operations: ['getOrders'], requests: 3 }])
    const [first = ''] = throttled.map(({ id }) => id)
    const folded = foldCauses(
      [
        foldable('limits.wrong', 'fail', [[finding('RATE-02', 'fail'), first]]),
        foldable('orders.stopped', 'untested', [], [first]),
      ],
      found,
    )
    expect(folded.causes).toMatchObject([{ kind: 'throttled', blocked: ['orders.stopped'] }])
    expect(folded.checks.map(({ verdict }) => verdict)).toEqual(['fail', 'untested'])
  })

  it('is not seen in requests to another path or by another method', () => {
    const elsewhere = three(() =>
      exchange('createCart', {
        request: { method: 'POST', url: `${BASE}/api/v1/carts`, headers: [] },
      }),
    )
    const otherwise = three(() =>
      exchange('createCart', { request: { method: 'PUT', url: `${BASE}/carts`, headers: [] } }),
    )
    expect(seek([...elsewhere, ...otherwise, good('createCart'), good('whoami')])).toEqual([])
  })

  it.each<[string, Partial<Exchange>, number, string]>([
    ['HTML', {}, 200, 'no-envelope'],
    ['a list', { json: [] }, 200, 'no-envelope'],
    ['an error of the server', { json: ENVELOPE }, 503, 'server-error'],
    ['405', { json: ENVELOPE }, 405, 'no-route'],
  ])('of %s', (_, change, status, kind) => {
    const items = three(() => exchange('getItem', change, status))
    expect(seek([...items, good('whoami')]).map((cause) => cause.kind)).toEqual([kind])
  })

  it('of no answer at all names the error', () => {
    const { response: _none, ...silent } = exchange('createCart')
    const history = three(() => ({
      ...silent,
      id: `y${(serial += 1)}`,
      error: { code: 'ECONNRESET', message: '' },
    }))
    expect(seek([...history, good('whoami')])[0]?.text).toContain('no answer (ECONNRESET)')
  })

  it("is not the provider's time-out, which the interface knows", () => {
    const timeout = { json: { ...ENVELOPE, statusCode: 14 } }
    expect(seek([...three(() => exchange('createCart', timeout, 504)), good('whoami')])).toEqual([])
  })

  it('of a key is told by its role', () => {
    const history = [refused('whoami'), refused('listServices'), refused('listServices')]
    const [cause] = seek([...history, good('whoami'), good('listServices')])
    expect(cause).toMatchObject({ kind: 'key-refused', requests: 3 })
    expect(cause?.text).toContain('role browser')
  })

  it('of a key is none where it was only sent beyond its scope', () => {
    const beyond = [refused('createCart'), refused('getOrders'), refused('getOrders')]
    const others = [good('whoami'), good('createCart'), good('getOrders')]
    expect(seek([...beyond, ...others])).toEqual([])
  })

  it('of a key is none where its own operation fails for another reason', () => {
    const legal = [refused('whoami'), refused('listServices'), refused('listServices')]
    const carts = three(() => exchange('createCart', { role: 'browser' }))
    expect(seek([...legal, ...carts, good('whoami')]).map(({ kind }) => kind)).toEqual(['no-route'])
  })

  it('is told once for everything, and once for all below /api/v1', () => {
    const below = [...three(() => exchange('listServices')), exchange('getOrders')]
    expect(seek([...below, good('whoami')])).toMatchObject([
      { kind: 'no-route', operations: ['listServices', 'getOrders'], requests: 4 },
    ])
    expect(seek([...below, exchange('whoami')])[0]?.text).toMatch(/^Every operation answers/)
  })
})

function foldable(
  id: string,
  verdict: Check['verdict'],
  about: [Finding, ...string[]][],
  stoppedBy: string[] = [],
): Foldable {
  const findings = about.map(([each]) => each)
  const check = sampleCheck(id, { verdict, findings, area: id.split('.')[0] ?? '' })
  return { check, about: about.map(([, ...ids]) => ids), stoppedBy }
}

describe('folding', () => {
  const [cause] = seek([
    exchange('createCart', { id: 'c1' }),
    exchange('createCart', { id: 'c2' }),
    exchange('createCart', { id: 'c3' }),
    good('whoami'),
  ])
  const causes = cause ? [cause] : []
  const verdicts = (foldables: Foldable[]): Record<string, string> =>
    Object.fromEntries(foldCauses(foldables, causes).checks.map(({ id, verdict }) => [id, verdict]))

  it('keeps one requirement failed and blocks the rest', () => {
    const { checks, causes: folded } = foldCauses(
      [
        foldable('cart.b', 'fail', [
          [finding('CART-09', 'fail'), 'c1'],
          [finding('CART-11', 'fail'), 'c1'],
        ]),
        foldable('cart.a', 'fail', [
          [finding('CART-11', 'fail'), 'c2'],
          [finding('WHO-01', 'pass'), 'w'],
        ]),
        foldable('cart.c', 'untested', [], ['c3']),
      ],
      causes,
    )
    expect(folded).toMatchObject([
      { id: 'C1', requirement: 'CART-09', check: 'cart.b', blocked: ['cart.a', 'cart.c'] },
    ])
    expect(checks.map(({ id, verdict, blockedBy }) => [id, verdict, blockedBy])).toEqual([
      ['cart.b', 'fail', undefined],
      ['cart.a', 'untested', 'C1'],
      ['cart.c', 'untested', 'C1'],
    ])
    const left = checks.flatMap(({ findings }) =>
      findings.map(({ requirement, verdict }) => `${requirement} ${verdict}`),
    )
    expect(left).toEqual(['CART-09 fail', 'CART-11 untested', 'CART-11 untested', 'WHO-01 pass'])
  })

  it('leaves a check as it is of which one failure is about anything else, or about nothing that is known', () => {
    const kept = foldable('cart.kept', 'fail', [[finding('CART-09', 'fail'), 'c1']])
    expect(
      verdicts([
        kept,
        foldable('cart.blocked', 'untested', [], ['c1']),
        foldable('cart.mixed', 'fail', [[finding('CART-11', 'fail'), 'c1', 'w']]),
        foldable('cart.other', 'fail', [
          [finding('CART-11', 'fail'), 'c1'],
          [finding('ENV-01', 'fail'), 'w'],
        ]),
        foldable('envelope.unknown', 'fail', [[finding('ENV-01', 'fail')]]),
        foldable('cart.stopped', 'untested', [], ['w']),
        foldable('cart.error', 'error', [[finding('CART-11', 'fail'), 'c1']]),
      ]),
    ).toEqual({
      'cart.kept': 'fail',
      'cart.blocked': 'untested',
      'cart.mixed': 'fail',
      'cart.other': 'fail',
      'envelope.unknown': 'fail',
      'cart.stopped': 'untested',
      'cart.error': 'error',
    })
  })

  it('tells no cause that blocks nothing', () => {
    const alone = foldable('cart.alone', 'fail', [[finding('CART-09', 'fail'), 'c1']])
    expect(foldCauses([alone], causes)).toEqual({ checks: [alone.check], causes: [] })
  })

  it('keeps the envelope failed where there is none', () => {
    const [html] = seek([
      ...['h1', 'h2', 'h3'].map((id) => exchange('getItem', { id }, 200)),
      good('whoami'),
    ])
    const { causes: folded } = foldCauses(
      [
        foldable('lookup.single-item', 'fail', [[finding('LOOK-08', 'fail'), 'h1']]),
        foldable('envelope.every-response', 'fail', [
          [finding('ENV-02', 'fail'), 'h1', 'h2', 'h3'],
        ]),
      ],
      html ? [html] : [],
    )
    expect(folded).toMatchObject([{ requirement: 'ENV-02', blocked: ['lookup.single-item'] }])
  })

  it('is a limit before the service where pages refuse beside answers in the envelope', () => {
    const headers: Exchange['request']['headers'] = [
      ['content-type', 'text/html'],
      ['server', 'nginx'],
    ]
    const page = (operation: OperationName & ('whoami' | 'getOrders')): Exchange =>
      exchange(operation, {
        response: { status: 429, headers, body: '<html>', truncated: false },
      })
    const limited = exchange('whoami', { json: ENVELOPE }, 429)
    const sound = [good('whoami'), good('getOrders'), limited]
    const pages = [page('whoami'), page('getOrders'), page('whoami')]
    expect(seek([...sound, ...pages])).toMatchObject([
      { requirement: 'ERR-01', requests: 3, text: expect.stringContaining('by nginx') as string },
    ])
    expect(seek([...sound, ...pages.slice(1)])).toEqual([])
    const unavailable = (['whoami', 'getOrders', 'whoami', 'getOrders', 'whoami'] as const).map(
      (operation) =>
        exchange(operation, {
          response: { status: 503, headers, body: '<html>', truncated: false },
        }),
    )
    const between = unavailable.flatMap((each) => [each, good('whoami'), good('getOrders')])
    expect(seek(between)).toMatchObject([{ requirement: 'ERR-01', requests: 5 }])
    expect(seek([...sound, ...unavailable])).toEqual([])
  })

  it('keeps ERR-01 failed where every refusal lacks its envelope, also for what ends with such a refusal', () => {
    const bare = [
      ['whoami', 403],
      ['getItem', 404],
      ['createCart', 422],
    ] as const
    const refusals = bare.map(([name, status]) => exchange(name, { id: `r${status}` }, status))
    const found = seek([...refusals, good('whoami'), good('getItem'), good('createCart')])
    expect(found).toMatchObject([{ kind: 'no-envelope', requirement: 'ERR-01', requests: 3 }])
    const cap = { ...finding('CAP-12', 'fail'), offending: 'r422' }
    const { causes: folded } = foldCauses(
      [
        foldable('envelope.every-error', 'fail', [[finding('ERR-01', 'fail'), 'r403', 'r404']]),
        foldable('envelope.every-response', 'fail', [[finding('ENV-02', 'fail'), 'r403']]),
        foldable('transaction-limit.sum', 'fail', [[cap, 'w', 'r422']]),
      ],
      found,
    )
    expect(folded).toMatchObject([
      { requirement: 'ERR-01', blocked: ['envelope.every-response', 'transaction-limit.sum'] },
    ])
    expect(seek([...refusals, refused('getOrders'), good('whoami')])).toEqual([])
  })
})
