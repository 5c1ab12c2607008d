import type { CheckContext, Exchange, Needs, RequirementId } from '../engine/kit.ts'
import { asText, check, inapplicable, needSuccess, showAnswer, untested } from '../engine/kit.ts'
import { BUCKETS, DEFAULT_LIMITS, FALLING_BACK, type Bucket } from '../../contract/limits.ts'
import { isSameLimit, reportedLimit } from '../../harness/quota/effective-limits.ts'
import type { AccountSpec } from '../../harness/accounts/accounts.ts'
import { selectOne } from '../../harness/target-file/select.ts'

/** What every check of the report of limits needs. */
const READS_LIMITS = {
  capabilities: ['rate-limits'],
  roles: ['full'],
  rolesIfKnown: ['funds'],
} as const satisfies Needs

/** GET /rate-limits, by the role full or, where that lacks a scope for it, by the role funds (OPEN-63). */
async function readLimits({ api, keys, observe }: CheckContext): Promise<Exchange> {
  const exchange = await api.as('full').rateLimits()
  if (exchange.response?.status !== 403) return needSuccess(exchange)
  observe('OPEN-63', `GET /rate-limits without funds:read: ${showAnswer(exchange)}`, [exchange])
  if (!keys.has('funds'))
    untested(
      'GET /rate-limits is forbidden to the role full, and no key of the role funds is known',
    )
  return needSuccess(await api.as('funds').rateLimits())
}

const GET_ORDERS_BUCKETS = BUCKETS.filter(
  (bucket) => bucket.startsWith('orders.') && bucket !== 'orders.check',
)

const SELECTORS = GET_ORDERS_BUCKETS.flatMap(
  (bucket) => [`rateLimits.${bucket}.count`, `rateLimits.${bucket}.windowSeconds`] as const,
)

export const reportsFiveBuckets = check({
  id: 'limits.report-buckets',
  title: 'GET /rate-limits reports the five buckets of GET /orders',
  requirements: ['LIMIT-02'],
  needs: { ...READS_LIMITS, selectors: SELECTORS },
  run: async (context) => {
    const { expect, target } = context
    const exchange = await readLimits(context)
    const missing = GET_ORDERS_BUCKETS.filter((bucket) => !reportedLimit(target, exchange, bucket))
    needReadable(context, exchange, missing)
    expect('LIMIT-02').that(
      'count and window of listing, filtered, pending, completed and admission are reported',
      {
        holds: missing.length === 0,
        expected: `a count and a window for ${GET_ORDERS_BUCKETS.join(', ')}`,
        observed: missing.length === 0 ? 'all five' : `nothing usable for ${missing.join(', ')}`,
        exchanges: [exchange],
      },
    )
  },
})

/** How a count and a window are written is not shown: what is there but cannot be read is not missing. */
function needReadable(
  { target }: CheckContext,
  { json }: Exchange,
  buckets: readonly Bucket[],
): void {
  const { selectors } = target.operations.rateLimits
  for (const bucket of buckets) {
    const [count, windowSeconds] = (['count', 'windowSeconds'] as const).map((member) =>
      selectOne(selectors[`${bucket}.${member}`] ?? '', json),
    )
    if (isGiven(count) && isGiven(windowSeconds))
      untested(
        `GET /rate-limits gives ${asText(count)} and ${asText(windowSeconds)} for ${bucket}: no number of requests and no time that the harness can read`,
      )
  }
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null && value !== ''
}

export const derivesAdmission = check({
  id: 'limits.report-admission',
  title: 'the reported admission budget is derived from pending and completed',
  requirements: ['LIMIT-03', 'LIMIT-04'],
  needs: { ...READS_LIMITS, selectors: SELECTORS },
  run: async (context) => {
    const own = await readLimits(context)
    for (const report of [own, ...(await reportsWith(context, [APART]))])
      judgeDerived(context, report)
  },
})

/** Budgets by which a sum differs from the larger count, and a divisor from either window. */
const APART = {
  'orders.unhide.pending': { count: 12, windowSeconds: 90 },
  'orders.unhide.completed': { count: 2, windowSeconds: 60 },
} as const

function judgeDerived({ expect, target }: CheckContext, report: Exchange): void {
  const { pending, completed, admission } = unhideLimits(target, report)
  expect('LIMIT-03').equal(
    'the admission count is the sum of the pending and the completed count',
    admission.count,
    pending.count + completed.count,
    [report],
  )
  const windowSeconds = commonWindow(pending.windowSeconds, completed.windowSeconds)
  if (windowSeconds === undefined) untested('the reported windows are not whole milliseconds')
  expect('LIMIT-04').equal(
    'the admission window is the greatest common divisor of the pending and the completed window',
    admission.windowSeconds,
    windowSeconds,
    [report],
  )
}

/** The interface gives these words for admission alone. */
const SOURCES: readonly unknown[] = ['rule', 'default']
const UNKNOWN_WORDS = 'the report has words of its own for the sources of components'

/** Whether the words of the components say what admission's has to be. */
function isTold(components: readonly unknown[]): boolean {
  return components.includes('rule') || components.every((source) => SOURCES.includes(source))
}

/** Each component alone is configured, in an account of its own. */
const CONFIGURED = { count: 5, windowSeconds: 60 } as const
const ONE_CONFIGURED = [
  { 'orders.unhide.pending': CONFIGURED },
  { 'orders.unhide.completed': CONFIGURED },
] as const

/** The reports of accounts that have these limits, if accounts can be made. */
async function reportsWith(
  { makeAccount }: CheckContext,
  configured: readonly NonNullable<AccountSpec['limits']>[],
): Promise<readonly Exchange[]> {
  const reports: Exchange[] = []
  for (const limits of makeAccount ? configured : []) {
    const scopes = ['product:read', 'orders:write', 'orders:read', 'funds:read'] as const
    const [api] = (await makeAccount?.({ keys: [{ scopes }], limits })) ?? []
    if (!api) throw new Error('an account with one key has one caller')
    reports.push(needSuccess(await api.as('full').rateLimits()))
  }
  return reports
}

export const tellsAdmissionSource = check({
  id: 'limits.report-admission-source',
  formerIds: ['limits.report-admission-source-of-either'],
  title:
    'the source of admission follows from the sources of its components: one that is configured is enough',
  requirements: ['LIMIT-05'],
  needs: {
    ...READS_LIMITS,
    selectors: [
      'rateLimits.orders.unhide.pending.source',
      'rateLimits.orders.unhide.completed.source',
      'rateLimits.orders.unhide.admission.source',
    ],
  },
  run: async (context) => {
    const { expect, observe, target } = context
    const own = await readLimits(context)
    const open: string[] = []
    let judged = 0
    for (const report of [own, ...(await reportsWith(context, ONE_CONFIGURED))]) {
      const [pending, completed, admission] = ['pending', 'completed', 'admission'].map((part) =>
        selectOne(
          target.operations.rateLimits.selectors[`orders.unhide.${part}.source`] ?? '',
          report.json,
        ),
      )
      const components = [pending, completed]
      const told = components.map(String).join(' and ')
      const shown = `${told}, admission ${String(admission)}`
      if (report === own) observe('OPEN-73', `pending and completed ${shown}`, [report])
      // How a limit of one account is reported is not shown: only what the report itself calls a rule is one.
      if (!isTold(components) || (report !== own && !components.includes('rule'))) {
        open.push(shown)
        continue
      }
      judged++
      expect('LIMIT-05').equal(
        `the source of admission, where its components have ${told}`,
        admission,
        components.includes('rule') ? 'rule' : 'default',
        [report],
      )
    }
    if (judged === 0) inapplicable(`${UNKNOWN_WORDS}: ${open.join('; ')}`)
  },
})

/** The default of one bucket: only looked at where the target reports that no rule is configured. */
function defaultOf(bucket: Bucket, requirement: RequirementId): ReturnType<typeof check> {
  const wanted = DEFAULT_LIMITS[bucket]
  return check({
    id: `limits.default-${bucket.replaceAll('.', '-')}`,
    title: `${bucket} has ${wanted.count} requests in ${wanted.windowSeconds} s unless it is configured`,
    requirements: [requirement],
    needs: {
      ...READS_LIMITS,
      capabilities: [
        'rate-limits',
        ...(bucket.includes('unhide') ? (['unhide'] as const) : []),
        ...(bucket === 'orders.check' ? (['dtu-check'] as const) : []),
      ],
      selectors: [`rateLimits.${bucket}.count`, `rateLimits.${bucket}.windowSeconds`],
    },
    run: async (context) => {
      const { expect, target } = context
      const exchange = await readLimits(context)
      const reported = reportedLimit(target, exchange, bucket)
      if (!reported) untested(`GET /rate-limits reports nothing usable for ${bucket}`)
      const selector = target.operations.rateLimits.selectors[`${bucket}.source`]
      const source = selector === undefined ? undefined : selectOne(selector, exchange.json)
      const isDefault = isSameLimit(reported, wanted)
      const general = reportedLimit(target, exchange, 'default') ?? DEFAULT_LIMITS.default
      if (!isDefault && FALLING_BACK.has(bucket) && isSameLimit(reported, general))
        inapplicable(`without a rule of its own ${bucket} has the global default (rule 1)`)
      if (!isDefault && source !== 'default')
        inapplicable(
          `another budget is configured: ${reported.count} in ${reported.windowSeconds} s, source ${asText(source)}`,
        )
      expect(requirement).equal(
        `the reported limit of ${bucket}`,
        `${reported.count} in ${reported.windowSeconds} s`,
        `${wanted.count} in ${wanted.windowSeconds} s`,
        [exchange],
      )
    },
  })
}

export const defaultLimit = defaultOf('default', 'RATE-12')
export const listingDefault = defaultOf('orders.list', 'RATE-13')
export const filteredDefault = defaultOf('orders.filtered', 'RATE-14')
export const checkDefault = defaultOf('orders.check', 'RATE-18')
export const pendingDefault = defaultOf('orders.unhide.pending', 'UNHIDE-03')
export const completedDefault = defaultOf('orders.unhide.completed', 'UNHIDE-02')
export const admissionDefault = defaultOf('orders.unhide.admission', 'UNHIDE-04')

function unhideLimits(
  target: CheckContext['target'],
  exchange: Exchange,
): Record<'pending' | 'completed' | 'admission', { count: number; windowSeconds: number }> {
  const read = (
    part: 'pending' | 'completed' | 'admission',
  ): { count: number; windowSeconds: number } =>
    reportedLimit(target, exchange, `orders.unhide.${part}`) ??
    untested(`GET /rate-limits reports nothing usable for ${part}`)
  return { pending: read('pending'), completed: read('completed'), admission: read('admission') }
}

/** The longest window of whole milliseconds that divides both windows, by trial from the shorter one down. */
function commonWindow(aSeconds: number, bSeconds: number): number | undefined {
  const [a, b] = [aSeconds * 1000, bSeconds * 1000]
  if (!Number.isInteger(a) || !Number.isInteger(b)) return undefined
  for (let divisor = Math.min(a, b); divisor >= 1; divisor--)
    if (a % divisor === 0 && b % divisor === 0) return divisor / 1000
  return undefined
}
