import { expect, test } from 'vitest'
import { virtualRun } from '../../test/support/virtual-run.ts'
import { ALL_CHECKS, ALL_INVARIANTS } from '../registry.ts'

test('of a body that is no JSON the report says where it breaks', async () => {
  const { outcomes } = await virtualRun({
    network: (transport) => ({
      ...transport,
      send: async (request, ...rest) => {
        const answer = await transport.send(request, ...rest)
        const isCatalog = request.url.includes('/services')
        return isCatalog ? { ...answer, body: '{"data":{"price":-2.-50}}' } : answer
      },
    }),
    checks: ALL_CHECKS.filter(({ id }) => id === 'answers.services'),
    invariants: ALL_INVARIANTS.filter(({ id }) => id === 'envelope.every-response'),
  })
  const findings = outcomes.flatMap(({ check }) => check.findings)
  const broken = findings.find(({ requirement }) => requirement === 'ENV-02')
  expect(broken?.verdict).toBe('fail')
  expect(broken?.observed).toContain(', first at character 21 of HTTP 200')
})
