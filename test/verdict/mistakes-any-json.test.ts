import fc from 'fast-check'
import { expect, it } from 'vitest'
import { resolveDocument } from '../../harness/target-file/resolve-document.ts'
import { demoEnvironment } from '../../reference/seed.ts'
import { targetFile } from '../../reference/target.ts'
import { exchangeWith } from '../support/exchanges.ts'
import { findMistakes } from '../../harness/mistakes/find.ts'

const { hazards: _none, ...target } = resolveDocument(targetFile('http://shop.invalid'), {
  name: 'own',
  env: demoEnvironment(),
})

const OPERATIONS = ['listServices', 'lookupItems', 'getItem', 'createOrder', 'rateLimits'] as const
const STATUSES = [200, 400, 403, 404, 422] as const

const UNTELLABLE = { data: null, errors: null, statusMessage: { toString: 0 } }

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
      const history = all.map(({ operation, status, json }, index) =>
        exchangeWith({
          id: `x${index}`,
          operation,
          products: ['voucher'],
          units: 1,
          response: { status },
          ...(json === undefined ? {} : { json }),
        }),
      )
      const causes = findMistakes({ target, history, readers: new Map(), hasKeysOfFile: true })
      expect(causes.every(({ kind }) => kind === 'target-file')).toBe(true)
    }),
    // What cannot be made a text was met once in thousands of runs.
    { numRuns: 500, examples: [[[{ operation: 'createOrder', status: 403, json: UNTELLABLE }]]] },
  )
})
