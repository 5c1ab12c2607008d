/** Open questions that a request more answers, which costs nothing: asked by checks of the same area, and never judged. */
import { OPERATIONS, partOf, prefixedPath, UNVERSIONED } from '../../contract/operations.ts'
import type { CheckContext, Exchange, Needs, OpenQuestionId } from '../engine/kit.ts'
import { isOffered } from '../engine/kit.ts'
import { noOrder, UNSCOPED_FORMS } from './requests.ts'

type Probe = {
  readonly question: OpenQuestionId
  readonly what: string
  readonly needs: Needs
  /** Undefined where the target file does not describe enough of it. */
  readonly send: (context: CheckContext) => Promise<Exchange | undefined>
}

/** Records how each of them is answered that the target has. */
export async function observeProbes(
  context: CheckContext,
  probes: readonly Probe[],
): Promise<void> {
  for (const { question, what, needs, send } of probes) {
    const { roles = [] } = needs
    if (!isOffered(context.target, needs) || !roles.every((role) => context.keys.has(role)))
      continue
    const exchange = await send(context)
    if (!exchange) continue
    const status = exchange.response?.status ?? 'none'
    context.observe(question, `${what}: HTTP ${status}`, [exchange])
  }
}

/** An empty body buys nothing. Where an operation answers here alone, its default path is a mistake of the target file. */
export const PREFIXED: readonly Probe[] = UNVERSIONED.map((operation) => ({
  question: 'OPEN-31',
  what: `${OPERATIONS[operation].path} under /api/v1`,
  needs: { capabilities: [partOf(operation) ?? 'base'] },
  send: ({ api, target }) => {
    const isGet = target.operations[operation].method === 'GET'
    const options = { path: prefixedPath(operation) }
    return api.as('full').send(operation, isGet ? {} : { body: {} }, options)
  },
}))

export const WITHOUT_SCOPE: readonly Probe[] = UNSCOPED_FORMS.map(({ name, needs, prepare }) => ({
  question: 'OPEN-63',
  what: `${name} without a scope`,
  needs: { ...needs, roles: ['unscoped'] },
  send: async (context) => (await prepare(context, noOrder))?.('unscoped'),
}))

export const WITHOUT_KEY_AND_MEDIA_TYPE: readonly Probe[] = [
  {
    question: 'OPEN-34',
    what: 'an order with another media type and no key',
    needs: {},
    send: ({ api }) =>
      api
        .as('none')
        .send('createOrder', { body: {} }, { headers: { 'content-type': 'text/plain' } }),
  },
]
