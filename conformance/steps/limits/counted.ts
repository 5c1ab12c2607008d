/** What else a default window counts (OPEN-35, OPEN-44, OPEN-85): seen on accounts whose default window is small and nothing else is. */
import { amountOf } from '../../../harness/client/bodies.ts'
import { FOREIGN_ADDRESS } from '../../../harness/accounts/control-accounts.ts'
import type { Api, CheckContext, Exchange, Needs, OpenQuestionId } from '../../engine/kit.ts'
import { isAccepted, isOffered, isThrottled } from '../../engine/kit.ts'
import { CHECKS_TOP_UPS } from '../dtu-check.ts'
import { BUYER_SCOPES } from '../../../contract/capabilities.ts'
import { RETURN_429_UNPACED } from '../rate-limits/between-refusals.ts'

type Counted = {
  readonly question: OpenQuestionId
  readonly what: string
  readonly needs: Needs
  readonly send: (context: CheckContext, api: Api) => Promise<Exchange>
}

const COUNTED: readonly Counted[] = [
  {
    question: 'OPEN-35',
    what: 'orders that are refused for their body',
    needs: {},
    send: (_, api) => api.send('createOrder', { body: {} }, RETURN_429_UNPACED),
  },
  {
    question: 'OPEN-35',
    what: 'orders that are refused for their media type',
    needs: {},
    send: (_, api) => {
      const headers = { 'content-type': 'text/plain' }
      return api.send('createOrder', { body: {} }, { ...RETURN_429_UNPACED, headers })
    },
  },
  {
    question: 'OPEN-44',
    what: 'checks of top-ups',
    needs: CHECKS_TOP_UPS,
    send: (context, api) => {
      const amount = amountOf(context.target, 'dtu')
      const order = { product: 'dtu', kind: 'dtu-check', ...amount } as const
      return api.createOrder({ ...order, referenceId: context.reference() }, RETURN_429_UNPACED)
    },
  },
  {
    question: 'OPEN-44',
    what: 'reads of orders by referenceId',
    needs: {},
    send: ({ reference }, api) => api.getOrders({ referenceId: reference() }, RETURN_429_UNPACED),
  },
]

const COUNT = 3

/** Sends more of each than two windows admit. Only a target that makes accounts can be asked. */
export async function observeCounted(context: CheckContext): Promise<void> {
  const { makeAccount, limit, target, observe } = context
  const { windowSeconds } = limit('default')
  for (const { question, what, needs, send } of COUNTED) {
    if (!makeAccount || !isOffered(target, needs)) continue
    const wide = { count: 10 * COUNT, windowSeconds }
    const limits = {
      default: { count: COUNT, windowSeconds },
      'orders.check': wide,
      'orders.filtered': wide,
    }
    const [made] = await makeAccount({ keys: [{ scopes: BUYER_SCOPES }], limits })
    if (!made) throw new Error('an account with one key has one caller')
    const sent: Exchange[] = []
    while (sent.length <= 2 * COUNT && !sent.some(isThrottled)) sent.push(await send(context, made))
    const isCounted = sent.some(isThrottled)
    observe(
      question,
      `${what} are ${isCounted ? '' : 'not '}counted by the window of their endpoint`,
      sent.slice(-1),
    )
  }
  if (makeAccount) await observeRefusedKeys(context, makeAccount)
}

const REFUSED = [
  ['a revoked key', { scopes: BUYER_SCOPES, status: 'revoked' }],
  ['a key without the scope', { scopes: [] }],
  ['a key whose allowlist blocks us', { scopes: BUYER_SCOPES, allowlist: [FOREIGN_ADDRESS] }],
] as const

/** Whether calls that are refused for their key spend the window of its account: another key of it tells. */
async function observeRefusedKeys(
  { limit, observe }: CheckContext,
  makeAccount: NonNullable<CheckContext['makeAccount']>,
): Promise<void> {
  const { windowSeconds } = limit('default', 'listServices')
  for (const [what, key] of REFUSED) {
    const limits = { default: { count: COUNT, windowSeconds } }
    const made = await makeAccount({ keys: [{ scopes: BUYER_SCOPES }, key], limits })
    const [full, outsider] = made
    if (!full || !outsider) throw new Error('an account with two keys has two callers')
    const sent: Exchange[] = []
    while (sent.length < COUNT)
      sent.push(await outsider.listServices({ limit: 1 }, RETURN_429_UNPACED))
    // A key that works spends the window, and says nothing of those that are refused.
    if (sent.some(isAccepted)) continue
    const probe = await full.listServices({ limit: 1 }, RETURN_429_UNPACED)
    observe(
      'OPEN-85',
      `calls with ${what} are ${isThrottled(probe) ? '' : 'not '}counted by the window of their account`,
      [probe],
    )
  }
}
