import type { Role } from '../../contract/capabilities.ts'
import { HEADER } from '../../contract/wire.ts'
import type { CheckContext, Exchange } from '../engine/kit.ts'
import { type RequirementId, check, needReadable, needSuccess, showAnswer } from '../engine/kit.ts'
import { expectRefused } from '../steps/key-refused.ts'

export const withoutKey = check({
  id: 'auth.missing-key',
  title: 'a call without a key is refused',
  requirements: ['AUTH-01'],
  needs: { roles: ['full'] },
  run: async (context) => {
    const { api } = context
    needSuccess(await api.as('full').listServices({ limit: 1 }))
    needReadable(await api.as('full').getOrders({ referenceId: context.reference() }))
    expectRefused(context, 'AUTH-01', await api.as('none').listServices({ limit: 1 }))
    expectRefused(context, 'AUTH-01', await api.as('none').getOrders({ referenceId: 'none' }))
    const exchange = await api.as('none').whoami()
    context.observe('OPEN-32', `without a key: ${showAnswer(exchange)}`, [exchange])
  },
})

export const unknownKey = check({
  id: 'auth.unknown-key',
  title: 'a key that was never issued is refused, the same way everywhere and every time',
  requirements: ['AUTH-02', 'SEQ-01'],
  needs: { roles: ['full'] },
  run: async (context) => {
    const { api, expect, target } = context
    needSuccess(await api.as('full').listServices({ limit: 1 }))
    const caller = api.as('invented')
    const exchanges = [
      await caller.listServices({ limit: 1 }),
      await caller.getOrders({ referenceId: 'none' }),
      await caller.listServices({ limit: 1 }),
      await caller.getOrders({}, { throttled: 'return' }),
      await caller.getOrders({}, { throttled: 'return' }),
      await caller.getOrders({}, { throttled: 'return' }),
    ]
    for (const exchange of exchanges.slice(0, 2)) expectRefused(context, 'AUTH-02', exchange)
    const statuses = exchanges.map(({ response }) => response?.status ?? 0)
    const wanted = target.answers.unknownKeyHttpStatus
    expect('SEQ-01').that('an unknown key gets one status at every endpoint and every time', {
      holds: new Set(statuses).size === 1 && (wanted === undefined || statuses[0] === wanted),
      expected: wanted === undefined ? 'one and the same status' : `HTTP ${wanted} (target file)`,
      observed: `HTTP ${statuses.join(', ')}`,
      exchanges,
    })
  },
})

/** Characters that are cut off a key, or added to it: more than an encoding could leave unread at its end. */
const ENDING_LENGTH = 8

/** Texts that are no key, but so like one that a careless comparison takes them for it. */
function lookalikesOf(secret: string): Readonly<Record<string, string>> {
  const middle = secret.length >> 1
  const other = secret[middle] === '0' ? '1' : '0'
  return {
    'the beginning of a key': secret.slice(0, -Math.min(ENDING_LENGTH, middle)),
    'a key with more behind it': secret + other.repeat(ENDING_LENGTH),
    'a key with another character in its middle':
      secret.slice(0, middle) + other + secret.slice(middle + 1),
    ...(MINDS_CASE.test(secret) && { 'a key in the other case': inOtherCase(secret) }),
  }
}

/** A key with letters of both cases; others, such as hexadecimal ones, may be one key in either. */
const MINDS_CASE = /(?=.*[A-Z]).*[a-z]/

function inOtherCase(text: string): string {
  return Array.from(text, (letter) => {
    const upper = letter.toUpperCase()
    return letter === upper ? letter.toLowerCase() : upper
  }).join('')
}

export const lookalikeKey = check({
  id: 'auth.lookalike-key',
  title: 'what is almost a key is refused',
  requirements: ['AUTH-02'],
  needs: { roles: ['full'] },
  run: async (context) => {
    const { api, keys, conceal } = context
    needSuccess(await api.as('full').listServices({ limit: 1 }))
    for (const [what, text] of Object.entries(lookalikesOf(keys.key('full').secret))) {
      conceal(text, what)
      const headers = { [HEADER.apiKey]: text }
      const exchange = await api.as('invented').listServices({ limit: 1 }, { headers })
      expectRefused(context, 'AUTH-02', exchange, what)
    }
  },
})

/** A revoked or expired key: refused, and refused before scope and window. */
function deadKey(
  role: Extract<Role, 'revoked' | 'expired'>,
  requirement: RequirementId,
): ReturnType<typeof check> {
  return check({
    id: `auth.${role}-key`,
    title: `a key that is ${role} is refused`,
    requirements: [requirement],
    needs: { roles: ['full', role] },
    run: async (context) => {
      const { api } = context
      needSuccess(await api.as('full').listServices({ limit: 1 }))
      for (const exchange of [
        await api.as(role).listServices({ limit: 1 }),
        await api.as(role).getOrders({ referenceId: context.reference() }),
      ])
        expectRefused(context, requirement, exchange)
    },
  })
}

export const revokedKey = deadKey('revoked', 'AUTH-03')
export const expiredKey = deadKey('expired', 'AUTH-04')

export const oneCredential = check({
  id: 'auth.one-credential',
  title: 'the key alone is enough, from any origin',
  requirements: ['AUTH-05', 'AUTH-06'],
  needs: { roles: ['full'] },
  run: async (context) => {
    const { api, expect, keys } = context
    const plain = await api.as('full').listServices({ limit: 1 })
    expect('AUTH-05').status(plain, 200)
    const key = keys.key('full').secret
    for (const name of [HEADER.apiKey, HEADER.apiKey.toUpperCase()]) {
      const spelled = await api.as('none').listServices({ limit: 1 }, { headers: { [name]: key } })
      expect('AUTH-05').that(`the key in a header that is spelled ${name}`, {
        holds: spelled.response?.status === 200,
        expected: 'HTTP 200: names of headers have no case',
        exchanges: [plain, spelled],
      })
    }
    await judgeOrigins(context, plain)
  },
})

/** A service may keep keys out of browsers. It then refuses every Origin, its own too. A bound key has one origin that passes. */
async function judgeOrigins(context: CheckContext, plain: Exchange): Promise<void> {
  const origins = ['https://elsewhere.example', new URL(plain.request.url).origin]
  const called: Exchange[] = []
  for (const origin of origins)
    called.push(await context.api.as('full').listServices({ limit: 1 }, { headers: { origin } }))
  const [first] = called.map(({ response }) => response?.status)
  const isRefused = first !== undefined && first >= 400 && first < 500 && first !== 429
  context.expect('AUTH-06').that('calls with an Origin header, of another origin and of its own', {
    holds:
      called.every(({ response }) => response?.status === first) &&
      (isRefused || first === plain.response?.status),
    expected: 'answered like a call without one, or all refused alike by HTTP 4xx',
    observed: called.map(showAnswer).join(', '),
    exchanges: [plain, ...called],
  })
  context.observe('OPEN-90', isRefused ? 'refused' : 'answered like a call without one', called)
}
