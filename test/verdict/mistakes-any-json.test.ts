import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Exchange } from '../../harness/client/exchange.ts'
import { resolveDocument } from '../../harness/target-file/resolve-document.ts'
import { demoEnvironment } from '../../reference/seed.ts'
import { targetFile } from '../../reference/target.ts'
import { findMistakes } from '../../harness/mistakes/find.ts'

const { hazards: _none, ...target } = resolveDocument(targetFile('http://shop.invalid'), {
  name: 'own',
  env: demoEnvironment(),
})

const OPERATIONS = ['listServices', 'lookupItems', 'getItem', 'createOrder', 'rateLimits'] as const
const STATUSES = [200, 400, 403, 404, 422] as const

const exchanges = fc.array(
  fc.record({
    operation: fc.constantFrom(...OPERATIONS),
    status: fc.constantFrom(...STATUSES),
    json: fc.option(
      fc.oneof(
        fc.jsonValue(),
        fc.record({ data: fc.jsonValue(), errors: fc.jsonValue(), statusMessage: fc.jsonValue() }),
      ),
      { nil: undefined },
    ),
  }),
  { maxLength: 6 },
)

it('survives any JSON in any place', () => {
  fc.assert(
    fc.property(exchanges, (all) => {
      const history = all.map(({ operation, status, json }, index): Exchange => ({
        id: `x${index}`,
        check: 'a.check',
        operation,
        role: 'full',
        account: 'main',
        products: ['voucher'],
        units: 1,
        request: { method: 'GET', url: 'http://shop.invalid/', headers: [] },
        sentAtMs: 0,
        receivedAtMs: 1,
        sentAtWallMs: 0,
        response: { status, headers: [], body: '', truncated: false },
        ...(json === undefined ? {} : { json }),
      }))
      const causes = findMistakes({ target, history, readers: new Map(), hasKeysOfFile: true })
      expect(causes.every(({ kind }) => kind === 'target-file')).toBe(true)
    }),
    { numRuns: 500 },
  )
})
