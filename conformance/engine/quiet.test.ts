import { describe, expect, test } from 'vitest'
import type { Transport } from '../../harness/client/exchange.ts'
import type { Clock } from '../../harness/clock.ts'
import { virtualRun } from '../../test/support/virtual-run.ts'
import { ALL_CHECKS } from '../registry.ts'
import { check, type CheckContext, type CheckDefinition } from './check.ts'
import { QUIET_SECONDS_MAX } from './quiet.ts'
import { inapplicableUnlessBusy, inconclusive, untested } from './undecided.ts'

type Run = (context: CheckContext, tries: number) => Promise<void>

function sample(id: string, run: Run): CheckDefinition {
  let tries = 0
  return check({
    id: `engine.${id}`,
    title: 'a sample',
    requirements: ['AUTH-01'],
    needs: { roles: ['full'] },
    run: async (context) => run(context, ++tries),
  })
}

function hold({ expect: expectOf }: CheckContext, holds = true): void {
  expectOf('AUTH-01').that('it', { holds, expected: 'yes', observed: 'so', exchanges: [] })
}

const NOISE_SECONDS = 30

/** Another check, as long as the noise lasts. */
const OTHER = sample('other', async (context) => {
  await context.wait('the noise to end', NOISE_SECONDS * 1000)
  hold(context)
})

async function verdictsOf(
  checks: readonly CheckDefinition[],
  more: Parameters<typeof virtualRun>[0] = {},
): Promise<Record<string, string>> {
  const { outcomes } = await virtualRun({ checks, invariants: [], isPersistent: true, ...more })
  return Object.fromEntries(outcomes.map((each) => [each.check.id, each.check.verdict]))
}

describe('a check that stayed inconclusive', () => {
  test('is tried once more, alone, when the others have ended', async () => {
    const spans: [number, number][] = []
    const noisy: Run = async (context, tries) => {
      if (tries === 1) inconclusive('noise')
      const fromMs = context.clock.nowMs()
      await context.wait('something', 5_000)
      spans.push([fromMs, context.clock.nowMs()])
      hold(context)
    }
    const verdicts = await verdictsOf([sample('one', noisy), sample('two', noisy), OTHER])
    expect(Object.values(verdicts)).toEqual(['pass', 'pass', 'pass'])
    const [[first, end], [second]] = spans as [[number, number], [number, number]]
    expect(first).toBeGreaterThanOrEqual(NOISE_SECONDS * 1000)
    expect(second).toBeGreaterThanOrEqual(end)
  })

  test('fails where it then shows a fault, and stays open where it shows nothing', async () => {
    const tried: number[] = []
    const broken = sample('broken', async (context, tries) => {
      if (tries === 1) inconclusive('noise')
      hold(context, false)
    })
    const open = sample('open', async (_, tries) => {
      tried.push(tries)
      inconclusive('noise')
    })
    const verdicts = await verdictsOf([broken, open])
    expect(verdicts).toEqual({ 'engine.broken': 'fail', 'engine.open': 'inconclusive' })
    expect(tried).toEqual([1, 2])
  })

  test('is inapplicable if a busy machine may be why, and no quiet shows it either', async () => {
    const shown = sample('shown', async (context, tries) => {
      if (tries === 1) inapplicableUnlessBusy('none seen')
      hold(context)
    })
    const absent = sample('absent', async () => inapplicableUnlessBusy('none seen'))
    const noisy = sample('noisy', async (_, tries) => {
      if (tries === 1) inconclusive('noise')
      inapplicableUnlessBusy('none seen')
    })
    expect(await verdictsOf([shown, absent, noisy])).toEqual({
      'engine.shown': 'pass',
      'engine.absent': 'inapplicable',
      'engine.noisy': 'inapplicable',
    })
  })

  test('is not tried again if that takes too long, or if it was decided', async () => {
    const tried: string[] = []
    const long = sample('long', async (context) => {
      tried.push('long')
      await context.wait('something', (QUIET_SECONDS_MAX + 1) * 1000)
      inconclusive('noise')
    })
    const broken = sample('broken', async (context) => {
      tried.push('broken')
      hold(context, false)
    })
    await verdictsOf([long, broken])
    expect(tried).toEqual(['long', 'broken'])
  })
})

/** As slow as a busy machine, until the other check ends. */
function noisyWay(transport: Transport, clock: Clock): Transport {
  return {
    close: () => transport.close(),
    send: async (...call) => {
      if (clock.nowMs() < NOISE_SECONDS * 1000) await clock.sleep(100)
      return transport.send(...call)
    },
  }
}

test('orders that finish within 60 ms are read as pending once the machine is less busy', async () => {
  const ids =
    /^(?:states.listed-state|unhide.(?:in-progress|first-completed|.*-pending|admission))$/
  const checks = ALL_CHECKS.filter(({ id }) => ids.test(id))
  const verdicts = await verdictsOf([...checks, OTHER], {
    service: { asyncCompletionMs: 60 },
    network: noisyWay,
  })
  expect(checks.length).toBeGreaterThan(5)
  expect(new Set(Object.values(verdicts))).toEqual(new Set(['pass']))
})

const reader = (): CheckDefinition =>
  sample('reader', async (context) => {
    const read = await context.api.as('full').listServices({ search: 'lost' })
    const holds = read.response !== undefined
    context.expect('AUTH-01').that('a read', { holds, expected: 'an answer', exchanges: [read] })
  })
/** Others make losses rare. */
const many = (count: number): CheckDefinition =>
  sample('many', async (context) => {
    for (let sent = 0; sent < count; sent++) await context.api.as('full').whoami()
    hold(context)
  })

/** So many of the first reads get no answer. */
const losing =
  (count: number) =>
  (transport: Transport): Transport => {
    let lost = 0
    const closed = Object.assign(new Error('other side closed'), { code: 'UND_ERR_SOCKET' })
    return {
      close: () => transport.close(),
      send: (request, ...more) =>
        request.url.includes('search=lost') && lost++ < count
          ? Promise.reject(closed)
          : transport.send(request, ...more),
    }
  }

describe('a check that failed because its connection ended before the answer', () => {
  test('is tried again where it was left untested for that', async () => {
    const control = sample('control', async (context) => {
      const read = await context.api.as('full').listServices({ search: 'lost' })
      if (read.response === undefined) untested('the control failed')
      hold(context)
    })
    const verdicts = await verdictsOf([control, many(200)], { network: losing(1) })
    expect(verdicts).toEqual({ 'engine.control': 'pass', 'engine.many': 'pass' })
  })

  test.each([
    ['passes where that does not happen again', 1, 200, 'pass'],
    ['fails where it does', 2, 200, 'fail'],
    ['is not tried again where many requests end so', 1, 20, 'fail'],
  ])('%s', async (_, lost, others, verdict) => {
    const checks = [reader(), many(others)]
    const verdicts = await verdictsOf(checks, { network: losing(lost) })
    expect(verdicts).toEqual({ 'engine.reader': verdict, 'engine.many': 'pass' })
  })
})
