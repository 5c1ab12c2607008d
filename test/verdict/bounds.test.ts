/** What a load run may take at most: refused where its plan is larger, stopped where it turns out to be longer. */
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import type { LimitRules } from '../../reference/service.ts'
import { k6AtHand } from '../support/k6.ts'
import { expectNotGreen, expectRefused } from './command-line.ts'
import { run } from './here.ts'
import { frontedService, targetOnDisk } from './servers.ts'

const LIMITS: LimitRules = { default: { count: 40, windowSeconds: 1 } }

/** Longer than a run without delays takes, shorter than k6 waits for an answer. */
const ANSWER_MS = 5000
const hasK6 = k6AtHand !== undefined

/** Two seconds of clients; the rate is theirs alone, whatever the windows admit. */
const BROWSE = ['--scenario', 'browse', '--seconds', '2', '--rate', '16']

async function slow(answer: 'pass' | { status: number }): Promise<typeof answer> {
  await sleep(ANSWER_MS)
  return answer
}

describe.concurrent('bounds of load', () => {
  test('a plan that is longer than --max-seconds is refused, with both numbers', async () => {
    const ended = await run('load', [...BROWSE, '--max-seconds', '3'])
    expectRefused(
      ended,
      2,
      /E_BUDGET: the plan does not fit: it takes up to \d+ s \(\d+ s of load\), 3 s are permitted/,
    )
    expect(ended.err).toContain('Raise --max-seconds')
  })

  test('a plan that sends more than --max-requests is refused on loopback too, where a number was given', async () => {
    const ended = await run('load', [...BROWSE, '--max-requests', '3'])
    expectRefused(ended, 2, /the load scenarios may send \d+ requests, 3 are permitted/)
    expect(ended.err).toMatch(/Raise --max-requests to \d+/)
  })

  test('money in a currency in which nothing is sold is refused before anything is sent', async () => {
    await using service = await frontedService()
    await using target = await targetOnDisk(service.baseUrl)
    const refused = ['--target', target.file, '--max-spend', 'EUR:20']
    const ended = await run('gate', refused, target.env)
    expectRefused(ended, 2, /E_BUDGET: --max-spend permits EUR, and the products .* in USD/)
    expect(ended.err).toContain('--max-spend USD:20.00')
    expect(service.seen).toEqual([])
  })

  test('what load lacks is told as what to add', async () => {
    await using service = await frontedService()
    await using target = await targetOnDisk(service.baseUrl, (file) => {
      return { ...file, control: undefined, credentials: {} }
    })
    const ended = await run(
      'load',
      ['--target', target.file, '--scenario', 'spend-contention'],
      target.env,
    )
    const { toAdd, load } = await expectNotGreen(ended, 5)
    const what = 'the cap credentials.capped.transactionLimit'
    expect(toAdd).toEqual([{ what, requirements: expect.any(Array) }])
    expect(load[0]?.requirements).toEqual(expect.arrayContaining(toAdd?.[0]?.requirements ?? []))
    expect(toAdd?.[0]?.requirements).toContain('CAP-21')
    expect(ended.out).toMatch(
      /add the cap credentials\.capped\.transactionLimit: decides \d+ requirements more/,
    )
  })

  test.skipIf(!hasK6)(
    'load that turns out to be longer is stopped, and decides nothing',
    async () => {
      // Answers that show no page leave the scenario undecided, so that it is repeated; the plan has time for one.
      await using service = await frontedService(
        ({ method, url }) => {
          if (url.includes('limit=5')) return slow({ status: 204 })
          return method === 'POST' ? slow('pass') : 'pass'
        },
        { limits: LIMITS },
      )
      await using target = await targetOnDisk(service.baseUrl, (file) => file)
      const within = (seconds: string): ReturnType<typeof run> =>
        run('load', ['--target', target.file, ...BROWSE, '--max-seconds', seconds], target.env)
      const refused = await within('1')
      const [, plannedSeconds = ''] = /takes up to (\d+) s/.exec(refused.err) ?? []
      const ended = await within(plannedSeconds)
      const record = await expectNotGreen(ended, 6)
      expect(record.profile.partial).toBe(true)
      const [load] = record.load
      expect(load).toMatchObject({ scenario: 'browse', verdict: 'inconclusive' })
      expect(load?.reason).toContain('was interrupted')
      expect(load?.measurements).toMatchObject({ attempts: 2 })
      expect(record.hazards).toContain(
        `The load was stopped after ${plannedSeconds} s (--max-seconds).`,
      )
      expect(record.undecided).toContainEqual({
        requirement: 'CAT-09',
        reason: 'The scenario was interrupted.',
      })
      expect(ended.out).toContain(`stopped after ${plannedSeconds} s`)
    },
  )
})
