import { RETRY_AFTER_SECONDS, STATUS_CODE } from '../../contract/wire.ts'
import type { RequirementId } from '../../contract/requirements/index.ts'
import { retryAfterSeconds, headerValue } from '../../harness/client/headers.ts'
import { messageOf } from '../allowlist/refusals.ts'
import { check, type CheckContext, type Needs } from '../check.ts'
import { needSuccess } from '../engine/controls.ts'
import { showAnswer, showRequest } from '../engine/describe.ts'
import { bracket, UNASKED, type Bracket } from '../windows/bracket.ts'
import { isRefused } from '../windows/probe.ts'
import { amountOf, askForCheck, bucketOf, CHECKS_TOP_UPS } from './steps.ts'

const NEEDS = { ...CHECKS_TOP_UPS, windows: [bucketOf('full')] } as const satisfies Needs

/** Spends the check bucket of the role full, then sends what is to be seen while it is spent. */
async function whileSpent(
  context: CheckContext,
  ...probes: Parameters<typeof bracket>[3]
): Promise<Bracket> {
  needSuccess(await askForCheck(context))
  return bracket(context, 'orders.check', () => askForCheck(context, UNASKED), probes)
}

export const sharedByKeys = check({
  id: 'dtu-check.shared-by-keys',
  title: 'all keys of an account share its check bucket',
  requirements: ['RATE-19'],
  needs: { ...NEEDS, roles: ['full', 'sibling'] },
  run: async (context) => {
    const { before, probes, after } = await whileSpent(context, () =>
      askForCheck(context, { ...UNASKED, role: 'sibling' }),
    )
    for (const probe of probes)
      context.expect('RATE-19').that(`${showRequest(probe)} while the bucket is spent`, {
        holds: isRefused(probe),
        expected: 'HTTP 429: the bucket is the same',
        observed: showAnswer(probe),
        exchanges: [before, probe, after],
      })
  },
})

/** What a spent check bucket must not refuse. */
function passesWhileSpent(
  name: string,
  title: string,
  requirement: RequirementId,
  needs: Needs,
  probe: (context: CheckContext) => Parameters<typeof bracket>[3][number],
): ReturnType<typeof check> {
  return check({
    id: `dtu-check.${name}`,
    title,
    requirements: [requirement],
    needs,
    run: async (context) => {
      const { before, probes, after } = await whileSpent(context, probe(context))
      for (const exchange of probes)
        context.expect(requirement).that(`${showRequest(exchange)} while the bucket is spent`, {
          holds: !isRefused(exchange),
          expected: 'not 429',
          observed: showAnswer(exchange),
          exchanges: [before, exchange, after],
        })
    },
  })
}

export const separateAccounts = passesWhileSpent(
  'separate-accounts',
  'spending the check bucket of one account leaves that of another whole',
  'RATE-20',
  { ...NEEDS, roles: ['full', 'stranger'], windows: [bucketOf('full'), bucketOf('stranger')] },
  (context) => () => askForCheck(context, { ...UNASKED, role: 'stranger' }),
)

export const purchasesPass = passesWhileSpent(
  'purchases-pass',
  'a spent check bucket does not refuse a purchase',
  'RATE-24',
  {
    ...NEEDS,
    capabilities: ['dtu-check', 'dtu'],
    orderKinds: ['dtu-check', 'dtu'],
    // A bracket that an edge opens buys once more.
    purchases: 5,
  },
  (context) => () =>
    context.api.as('full').createOrder(
      {
        product: 'dtu',
        kind: 'dtu',
        referenceId: context.reference(),
        ...amountOf(context, 'dtu'),
      },
      UNASKED,
    ),
)

export const refusal = check({
  id: 'dtu-check.refusal',
  title: 'the 429 of a spent check bucket names it and says how long to wait',
  requirements: ['RATE-21', 'RATE-22', 'RATE-23'],
  needs: NEEDS,
  run: async (context) => {
    const { expect, observe } = context
    const { before: refused, after } = await whileSpent(context)
    const { windowSeconds } = context.limit('orders.check')
    expect('RATE-21').statusCode(refused, STATUS_CODE.limitReached)
    expect('RATE-22').that('the message names the bucket', {
      holds: /check/i.test(messageOf(refused)),
      expected: 'a statusMessage with the name of the bucket, POST /orders (check)',
      observed: messageOf(refused) || showAnswer(refused),
      exchanges: [refused],
    })
    const seconds = retryAfterSeconds(refused) ?? 0
    // The interface gives the default literally, so a service with another window may still say it.
    const isLiteral = seconds === RETRY_AFTER_SECONDS.checkBucket
    expect('RATE-23').that('Retry-After of the check bucket', {
      holds: seconds >= 1 && (seconds <= Math.ceil(windowSeconds) || isLiteral),
      expected: `1 to ${Math.ceil(windowSeconds)}, or ${RETRY_AFTER_SECONDS.checkBucket} as the interface gives it`,
      observed: `Retry-After: ${headerValue(refused, 'retry-after') ?? 'none'}`,
      exchanges: [refused],
    })
    const values = [refused, after].map((each) => headerValue(each, 'retry-after'))
    observe('OPEN-42', `Retry-After ${values.join(', then ')} of ${windowSeconds} s`, [
      refused,
      after,
    ])
  },
})
