import { amountOf } from '../../harness/client/bodies.ts'
import { CHECK_BUCKET_NAMED, checkWaitSecondsMax } from '../../contract/limits.ts'
import { RETRY_AFTER_SECONDS } from '../../contract/wire.ts'
import { retryAfterSeconds, headerValue } from '../../harness/client/headers.ts'
import { howToTell, isSizeKnown } from '../../harness/quota/effective-limits.ts'
import { callersFrom, FIRST_OF_NETWORKS } from '../steps/allowlist-callers.ts'
import { needMessage } from '../steps/allowlist-refusals.ts'
import type { CallOptions, CheckContext, Exchange, OrderRequest } from '../engine/kit.ts'
import {
  check,
  isAccepted,
  isOffered,
  isThrottled,
  messageOf,
  showAnswer,
  showRequest,
} from '../engine/kit.ts'
import { expectCounter } from '../steps/limits/counter.ts'
import {
  ATTEMPTS_MAX,
  RETURN_429_UNPACED,
  type Send,
} from '../steps/rate-limits/between-refusals.ts'
import { AS_ANOTHER_CLIENT, LISTING_OF_FULL } from '../steps/rate-limits/counters.ts'
import { NEEDS_BUCKET, sendAnyway, whileSpent } from '../steps/dtu-spent.ts'
import { askForCheck, bucketOf } from '../steps/dtu-check.ts'

export const sharedByKeys = check({
  id: 'dtu-check.shared-by-keys',
  title: 'all keys of an account share its check bucket, from whichever client and address',
  requirements: ['RATE-19'],
  needs: { ...NEEDS_BUCKET, roles: ['full', 'sibling'] },
  run: async (context) => {
    const elsewhere = (await callersFrom(context, [FIRST_OF_NETWORKS])) ?? []
    const others = [
      { role: 'sibling' } as const,
      AS_ANOTHER_CLIENT,
      ...elsewhere.map(({ options }) => options),
    ]
    const { before, probes, after } = await whileSpent(
      context,
      ...others.map((other) => () => askForCheck(context, { ...RETURN_429_UNPACED, ...other })),
    )
    expectCounter(context, 'RATE-19', { before, probes, after }, 'shared')
  },
})

export const separateAccounts = check({
  id: 'dtu-check.separate-accounts',
  title: 'spending the check bucket of one account leaves that of another whole',
  requirements: ['RATE-20'],
  needs: {
    ...NEEDS_BUCKET,
    roles: ['full', 'stranger'],
    windows: [bucketOf('full'), { ...bucketOf('stranger'), units: ATTEMPTS_MAX }],
  },
  movedByOthers: { requirements: ['RATE-20'] },
  run: async (context) => {
    const ask = (): Promise<Exchange> =>
      askForCheck(context, { ...RETURN_429_UNPACED, role: 'stranger' })
    // The shop service, which is asked for the quote, may refuse it once for a limit of its own.
    const looked = await whileSpent(context, () => sendAnyway(context, ask))
    expectCounter(context, 'RATE-20', looked, 'separate')
  },
})

export const refusal = check({
  id: 'dtu-check.refusal',
  formerIds: [
    'dtu-check.one-bucket',
    ...['code', 'message', 'wait'].map((what) => `dtu-check.refusal-${what}`),
  ],
  title:
    'a spent check bucket refuses checks of any product by a 429 with statusCode 8, its name and a wait of its window at most',
  requirements: ['RATE-02', 'RATE-21', 'RATE-22', 'RATE-23'],
  needs: { ...NEEDS_BUCKET, windows: [bucketOf('full'), LISTING_OF_FULL] },
  run: async (context) => {
    const { before, probes, after } = await whileSpent(context, ...(await otherChecks(context)))
    context.expect('RATE-21').limitReached(before)
    judgeWait(context, before, after)
    for (const probe of probes)
      context.expect('RATE-02').that(`${showRequest(probe)} while the bucket is spent`, {
        holds: isThrottled(probe),
        expected: 'HTTP 429: the bucket is of all checks of the account',
        observed: showAnswer(probe),
        exchanges: [before, probe, after],
        offending: probe,
      })
    if (probes.length === 0)
      context.leaveUndecided('RATE-02', 'no check of another product or amount is answered')
    const message = needMessage(before)
    const other = await refusalOfListing(context)
    const isOfBoth = other !== undefined && wordsOf(messageOf(other)) === wordsOf(message)
    context.expect('RATE-22').that('the message of the refusal', {
      holds: CHECK_BUCKET_NAMED.test(message) && !isOfBoth,
      expected: 'a statusMessage with the name of the bucket, POST /orders (check)',
      observed: isOfBoth ? `${message} (the same where the listing of orders is spent)` : message,
      exchanges: other ? [before, other] : [before],
    })
  },
})

/** Checks of another amount and another product than the bucket is spent by, and one without a reference, which it needs not. */
async function otherChecks({ api, reference, target }: CheckContext): Promise<readonly Send[]> {
  const asking =
    (order: Omit<OrderRequest, 'referenceId'>, referenceOf: () => string | undefined) =>
    (options: CallOptions): Promise<Exchange> => {
      const asked = { ...order, kind: 'dtu-check', referenceId: referenceOf() } as const
      return api.as('full').createOrder(asked, options)
    }
  const usual = amountOf(target, 'dtu')
  const slow = amountOf(target, 'dtu-timeout')
  const sends: Send[] = []
  for (const ask of [
    ...(usual.amount === undefined ? [] : [asking({ product: 'dtu', amount: 2 }, reference)]),
    ...(isOffered(target, { products: ['dtu-timeout'] })
      ? [asking({ product: 'dtu-timeout', ...slow }, reference)]
      : []),
    asking({ product: 'dtu', ...usual }, () => undefined),
  ]) {
    const alone = await ask({})
    // A provider that is silent was asked all the same; what is not valid may be refused before it is counted.
    if (isAccepted(alone) || alone.response?.status === 504)
      sends.push(() => ask(RETURN_429_UNPACED))
  }
  return sends
}

/** What another bucket answers: a message that is the same there names neither. */
async function refusalOfListing({ api, limit }: CheckContext): Promise<Exchange | undefined> {
  const { count } = limit('orders.list')
  for (let sent = 0; sent < 2 * count + 1 && sent < LISTINGS_MAX; sent++) {
    const exchange = await api.as('full').getOrders({}, RETURN_429_UNPACED)
    if (isThrottled(exchange)) return exchange
  }
  return undefined
}

/** A listing without a rule of its own has the default budget: too much to be spent for a message. */
const LISTINGS_MAX = 20

/** Without what differs from refusal to refusal. */
function wordsOf(message: string): string {
  return message.replaceAll(/\d+/g, '')
}

function judgeWait(context: CheckContext, before: Exchange, after: Exchange): void {
  const limit = context.limit('orders.check')
  const { windowSeconds } = limit
  const later = headerValue(after, 'retry-after') ?? 'none'
  const seconds = retryAfterSeconds(before)
  if (seconds === undefined) {
    const header = headerValue(before, 'retry-after') ?? 'none'
    const reason = `the refusal has no Retry-After of whole seconds: ${header}`
    return context.leaveUndecided('RATE-23', reason)
  }
  context.observe('OPEN-42', `Retry-After ${seconds}, then ${later}, of ${windowSeconds} s`, [
    before,
    after,
  ])
  const most = checkWaitSecondsMax(windowSeconds)
  // The interface gives the default literally, so a service with another window may still say it.
  const isLiteral = seconds === RETRY_AFTER_SECONDS.checkBucket
  if (seconds > most && !isLiteral && !isSizeKnown(limit)) {
    const reason = `how long the window of the check bucket lasts is not known: ${howToTell('orders.check')}`
    return context.leaveUndecided('RATE-23', reason)
  }
  context.expect('RATE-23').that('Retry-After of the check bucket', {
    holds: seconds >= 1 && (seconds <= most || isLiteral),
    expected: `1 to ${most}, or ${RETRY_AFTER_SECONDS.checkBucket} as the interface gives it`,
    observed: `Retry-After: ${seconds}`,
    exchanges: [before],
  })
}
