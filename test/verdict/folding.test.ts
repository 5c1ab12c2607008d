import { describe, expect, it } from 'vitest'
import type { WireRequest, WireResponse } from '../../harness/client/exchange.ts'
import { foldOutcomes } from '../support/fold-outcomes.ts'
import { answering } from '../support/networks.ts'
import { virtualRun } from '../support/virtual-run.ts'

const envelope = (status: number): Partial<WireResponse> => ({
  status,
  body: JSON.stringify({ status: 'CANCELLED', statusCode: 5, statusMessage: 'No.', traceId: 't' }),
})
const NOT_FOUND: Partial<WireResponse> = { status: 404, body: '<html>not found</html>' }

const pathOf = ({ url }: WireRequest): string => new URL(url).pathname
const at =
  (path: string, method: string, answer: Partial<WireResponse>) =>
  (request: WireRequest): Partial<WireResponse> | undefined =>
    request.method === method && pathOf(request) === path ? answer : undefined

async function folded(answer: (request: WireRequest) => Partial<WireResponse> | undefined) {
  const { outcomes, session } = await virtualRun({
    network: (transport) => answering(transport, answer),
  })
  const failedBefore = outcomes.filter(({ check }) => check.verdict === 'fail').length
  const { checks, causes } = foldOutcomes(outcomes, session)
  const blocked = checks.filter(({ blockedBy }) => blockedBy !== undefined)
  const failed = checks.filter(({ verdict }) => verdict === 'fail')
  return { failedBefore, checks, causes, blocked, failed }
}

describe('one cause in the place of many failures, over the whole suite', () => {
  it.each([
    ['without an envelope', NOT_FOUND],
    ['with an envelope', envelope(404)],
  ])('a route that is not there, answered %s', async (_, answer) => {
    const { causes, blocked, failed, failedBefore } = await folded(at('/carts', 'POST', answer))
    expect(causes).toMatchObject([
      {
        id: 'C1',
        kind: 'no-route',
        operations: ['createCart'],
        blocked: blocked.map(({ id }) => id).toSorted(),
      },
    ])
    expect(causes[0]?.text).toMatch(/^POST \/carts answers HTTP 404 to all \d+ requests$/)
    expect(blocked.length).toBeGreaterThan(10)
    for (const check of blocked)
      expect(check).toMatchObject({
        verdict: 'untested',
        reason: `blocked by C1: ${causes[0]?.text}`,
      })
    expect(failedBefore).toBeGreaterThan(1)
    expect(failed.map(({ id }) => id)).toEqual([causes[0]?.check])
    const red = failed.flatMap(({ findings }) =>
      findings.filter(({ verdict }) => verdict === 'fail'),
    )
    expect(new Set(red.map(({ requirement }) => requirement))).toEqual(
      new Set([causes[0]?.requirement]),
    )
  })

  it('an operation that never answers JSON stays failed as what it is', async () => {
    const { causes, failed } = await folded(at('/rate-limits', 'GET', { status: 200, body: 'ok' }))
    expect(causes).toMatchObject([{ kind: 'no-envelope', requirement: 'ENV-02' }])
    expect(failed.map(({ id }) => id)).toContain('envelope.every-response')
  })

  it.each([
    ['an error of the server', 'server-error', () => envelope(500)],
    ['a key that nobody takes', 'key-refused', () => envelope(401)],
    [
      'a base path that is off by one',
      'no-route',
      (request: WireRequest) => (pathOf(request).startsWith('/api/v1/') ? NOT_FOUND : undefined),
    ],
  ] as const)('%s is told once for all operations', async (_, kind, answer) => {
    const { causes, blocked, failed } = await folded(answer)
    expect(causes).toMatchObject([{ kind }])
    expect(causes[0]?.operations.length).toBeGreaterThan(3)
    expect(blocked.length).toBeGreaterThan(100)
    // Never green: what it breaks most plainly is still broken.
    expect(failed.map(({ id }) => id)).toContain(causes[0]?.check)
  })

  it('a failure of another kind beside it stays a failure', async () => {
    const noCarts = at('/carts', 'POST', NOT_FOUND)
    const { causes, failed } = await folded((request) => {
      if (pathOf(request) === '/whoami') return { status: 200, body: '[]' }
      return noCarts(request)
    })
    expect(causes.map(({ operations }) => operations)).toContainEqual(['createCart'])
    expect(failed.flatMap(({ findings }) => findings)).toContainEqual(
      expect.objectContaining({ requirement: 'ENV-01', verdict: 'fail' }),
    )
  })

  it('the clean service has no cause', async () => {
    const { causes, blocked } = await folded(() => undefined)
    expect([...causes, ...blocked]).toEqual([])
  })
})
