import type { WindowLimit } from '../../contract/limits.ts'
import { OPERATIONS, type OperationName } from '../../contract/operations.ts'
import { HEADER } from '../../contract/wire.ts'
import { FOREIGN_ADDRESS } from '../../harness/accounts/control-accounts.ts'
import { reportedLimit } from '../../harness/quota/effective-limits.ts'
import {
  check,
  inapplicable,
  inconclusive,
  isAccepted,
  offeredOf,
  isThrottled,
  makerOf,
  onlyWithControlSide,
  type Api,
  type CheckContext,
  type Exchange,
} from '../engine/kit.ts'
import { LINES, POSITIONS } from '../steps/cart.ts'
import { COUNT, few, SCOPES, sendingAs, type SendAs } from '../steps/limits/endpoints.ts'
import { areWithin, RETURN_429_UNPACED, type Send } from '../steps/rate-limits/between-refusals.ts'
import { limitNameOf, WINDOWS, type Form } from '../steps/requests.ts'

/** Keys of one account. The last three are refused. */
type Keys = Readonly<Record<'own' | 'unscoped' | 'blocked' | 'capped', Api>>

/** A key that can buy nothing. */
const CAP = '0.01'

/** An endpoint, and how it is asked. */
type Asked = { readonly form: Form; readonly send: SendAs }

/** What is refused between two requests that pass. Undefined where the endpoint has no such refusal. */
type Between = {
  readonly what: string
  readonly sends: (asked: Asked, keys: Keys, context: CheckContext) => readonly Send[] | undefined
}

/** Each on an account of its own: a kind that is counted would take what another one gives back. */
const BETWEEN: readonly Between[] = [
  { what: 'only its own 429', sends: () => [] },
  {
    what: '403',
    sends: ({ send }, { unscoped, blocked }) => [() => send(unscoped), () => send(blocked)],
  },
  {
    what: '422',
    sends: ({ form }, { own }) =>
      posting(form, (operation, body) => own.send(operation, { body }, RETURN_429_UNPACED)),
  },
  {
    what: '415',
    sends: ({ form }, { own }) =>
      posting(form, (operation, body) =>
        own.send(operation, { body }, { ...RETURN_429_UNPACED, headers: AS_TEXT }),
      ),
  },
  { what: '409 of the cap', sends: ({ form }, keys, context) => beyondCap(form, keys, context) },
]

const AS_TEXT = { [HEADER.contentType]: 'text/plain' }

/** A body that lacks nearly everything. Where the interface shows no path, the path may say what is asked for. */
function posting(
  { operation, bucket }: Form,
  post: (operation: OperationName, body: object) => Promise<Exchange>,
): readonly Send[] | undefined {
  const { method } = OPERATIONS[operation]
  if (method === 'GET' || !('path' in OPERATIONS[operation])) return undefined
  const body = bucket === 'orders.check' ? { ordersType: 'dtu', checkOnly: true } : {}
  return [() => post(operation, body)]
}

function beyondCap(
  { operation, bucket }: Form,
  { capped }: Keys,
  { target, reference }: CheckContext,
): readonly Send[] | undefined {
  const isLimited = target.capabilities.includes('transaction-limit')
  if (!isLimited || bucket !== 'default') return undefined
  if (operation === 'createOrder')
    return [
      () =>
        capped.createOrder({ product: 'voucher', referenceId: reference() }, RETURN_429_UNPACED),
    ]
  if (operation === 'createCart')
    return [() => capped.createCart({ referenceId: reference(), lines: LINES }, RETURN_429_UNPACED)]
  return undefined
}

async function makeKeys(context: CheckContext, small: WindowLimit): Promise<Keys> {
  const keys = [
    { scopes: SCOPES },
    { scopes: [] },
    { scopes: SCOPES, allowlist: [FOREIGN_ADDRESS] },
    { scopes: SCOPES, transactionLimit: CAP },
  ]
  const limits = { default: small, 'orders.check': small, 'orders.filtered': small }
  const made = await makerOf(context)({ keys, limits })
  const [own, unscoped, blocked, capped] = made as [Api, Api, Api, Api]
  return { own, unscoped, blocked, capped }
}

/**
 * Sends in turn what passes and what does not, until what passed is refused twice in a row, or a window is over. Undefined where
 * something else passed.
 */
async function alternate(
  send: Send,
  between: readonly Send[],
  { count, windowSeconds }: WindowLimit,
): Promise<readonly Exchange[] | undefined> {
  const own: Exchange[] = []
  const most = 2 * count
  const isSpent = (): boolean => own.length > 1 && own.slice(-2).every(isThrottled)
  const isLate = (): boolean => own.length > 1 && !areWithin(own, 1000 * windowSeconds)
  const isOver = (): boolean => own.length > 2 * most || isSpent() || isLate()
  while (own.filter(isAccepted).length <= most && !isOver()) {
    own.push(await send())
    for (const other of between) if (isAccepted(await other())) return undefined
  }
  return own
}

/** Less time than a window holds one edge at most: two budgets pass then, whatever was refused meanwhile. Whether it was decided. */
function judge(
  { expect, slackMs }: CheckContext,
  what: string,
  { limit, own }: { readonly limit: WindowLimit; readonly own: readonly Exchange[] },
): boolean {
  const passed = own.filter(isAccepted)
  const { count, windowSeconds } = limit
  const isBeyond = passed.length > 2 * count && areWithin(passed, windowSeconds * 1000 - slackMs)
  if (!isBeyond && !own.some(isThrottled)) return false
  expect('RATE-02').that(what, {
    holds: !isBeyond,
    expected: `${count} requests pass in ${windowSeconds} s: what is refused gives nothing back`,
    observed: `${passed.length} passed`,
    exchanges: isBeyond ? passed.slice(-3) : own.slice(-3),
  })
  return true
}

/** Spends each window of an account once, with refusals of one kind in between. Whether each whose limit is reported was decided. */
async function judgeEach(
  context: CheckContext,
  { what, sends }: Between,
): Promise<readonly boolean[]> {
  const { target } = context
  const keys = await makeKeys(context, few(context.limit('default')))
  const report = await keys.own.rateLimits(RETURN_429_UNPACED)
  const decided: boolean[] = []
  for (const form of offeredOf(target, WINDOWS)) {
    const sending = await sendingAs(context, form)
    const asked = sending && { form, send: sending.send }
    const between = asked && sends(asked, keys, context)
    if (!asked || !between) continue
    const first = await asked.send(keys.own)
    const limit = reportedLimit(target, report, limitNameOf(form))
    if (!isAccepted(first) || !limit || limit.count > 2 * COUNT) continue
    const later = await alternate(() => asked.send(keys.own), between, limit)
    const own = later && [first, ...later]
    decided.push(
      own !== undefined && judge(context, `${form.name}, with ${what} in between`, { limit, own }),
    )
  }
  return decided
}

export const refusalsBetween = check({
  id: 'limits.refusals-between',
  title: 'what is refused gives nothing back of a window, at each endpoint',
  requirements: ['RATE-02'],
  needs: {
    roles: ['full'],
    purchases: (BETWEEN.length + 1) * (1 + POSITIONS),
    ofKeysOfFile: onlyWithControlSide('accounts with limits of their own'),
  },
  run: async (context) => {
    const decided = (
      await Promise.all(BETWEEN.map((between) => judgeEach(context, between)))
    ).flat()
    if (decided.length === 0) inapplicable('no report gives the limit of an endpoint')
    if (!decided.includes(true)) inconclusive('no window that was spent refused anything in time')
  },
})
