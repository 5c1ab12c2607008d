/** What the catalogue says is observed has to be: by a check, under its own number. */
import { expect, test } from 'vitest'
import { ALL_CHECKS } from '../../conformance/registry.ts'
import { OPEN_QUESTIONS } from '../../contract/requirements/index.ts'
import { VirtualClock } from '../support/virtual-clock.ts'
import { embedInProcess } from '../support/in-process.ts'
import type { Transport } from '../../harness/client/exchange.ts'
import type { Target } from '../../harness/target-file/target.ts'
import { virtualRun } from '../support/virtual-run.ts'

/** A target that tells the size of no window. */
function withoutLimits(): Target {
  const { target } = embedInProcess({ faults: [], windowSeconds: 2, clock: new VirtualClock() })
  const { rateLimits } = target.operations
  const operations = { ...target.operations, rateLimits: { ...rateLimits, selectors: {} } }
  return { ...target, operations, limits: {} }
}

type Run = Parameters<typeof virtualRun>[0]

/** The whole suite, and checks of questions that only arise in one state of the service or its target file. */
const RUNS: readonly { readonly areas: RegExp; readonly run: Run }[] = [
  { areas: /./, run: { service: { seed: 7, platformGift: 'enabled' } } },
  { areas: /^platform-gift\.gate/, run: { service: { platformGift: 'disabled' } } },
  {
    areas: /^platform-gift\.quote/,
    run: { service: { platformGift: 'enabled', variants: ['gift-quotes-upstream-missing'] } },
  },
  { areas: /^limits\.window-/, run: { target: withoutLimits() } },
]

test('every question that is to be observed is recorded by a run', async () => {
  const seen = new Set<string>()
  for (const { areas, run } of RUNS) {
    const checks = ALL_CHECKS.filter(({ id }) => areas.test(id))
    const { outcomes } = await virtualRun({ checks, ...run })
    for (const { observations } of outcomes) for (const { id } of observations) seen.add(id)
  }
  const asked = OPEN_QUESTIONS.filter(({ answeredBy }) => answeredBy.includes('observed'))
  expect(asked.filter(({ id }) => !seen.has(id)).map(({ id }) => id)).toEqual([])
})

/** Takes one form of the media type only. */
function exact(transport: Transport): Transport {
  return {
    ...transport,
    send: (request, ...rest) => {
      const headers = request.headers.map(([name, value]): readonly [string, string] =>
        /^application\/json.+|^Application/.test(value) ? [name, 'text/plain'] : [name, value],
      )
      return transport.send({ ...request, headers }, ...rest)
    },
  }
}

test.each([
  ['taken', 200, undefined],
  ['refused', 415, exact],
])('a charset and another case of the media type are observed: %s', async (_, status, network) => {
  const checks = ALL_CHECKS.filter(({ id }) => id === 'content-type.other')
  const { outcomes } = await virtualRun({ checks, ...(network && { network }) })
  const observed = outcomes.flatMap(({ observations }) =>
    observations.filter(({ id }) => id === 'OPEN-69').map(({ answer }) => answer),
  )
  expect(observed).toEqual([`with a charset: HTTP ${status}`, `in another case: HTTP ${status}`])
  expect(outcomes.filter(({ check }) => check.verdict === 'fail')).toEqual([])
})
