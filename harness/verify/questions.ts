/** Which requests verify sends. None of them buys, and all of them are reads but the quote of a gift, which buys nothing. */
import type { Role } from '../../contract/capabilities.ts'
import type { Exchange } from '../client/exchange.ts'
import type { Target } from '../target-file/target.ts'
import { renderTemplate } from '../target-file/template.ts'
import { looksLikeEnvelope } from '../gate/presence.ts'
import { askKeys, type KeyAnswers, type KeyToAsk } from './ask-keys.ts'
import { isAccepted, type Asker } from './asker.ts'

export type Answers = {
  readonly whoami?: Exchange | undefined
  readonly withoutKey?: Exchange | undefined
  readonly withInventedKey?: Exchange | undefined
  readonly services?: Exchange | undefined
  readonly counted?: Exchange | undefined
  readonly rateLimits?: Exchange | undefined
  readonly keys: readonly KeyAnswers[]
  /** What was not left at the end: what was not asked may be there. */
  readonly shortOf?: Asker['shortOf']
  readonly giftQuote?: Exchange | undefined
  /** Whether anything of this interface answered; nothing more is asked otherwise. */
  readonly isInterface: boolean
}

/** Roles in the order in which they matter: where the requests end, those at the end are not tried. */
export function rolesOf(target: Target): Role[] {
  const first: readonly Role[] = ['full', 'capped', 'sibling', 'stranger', 'browser', 'poller']
  const roles = Object.keys(target.credentials) as Role[]
  return [
    ...first.filter((role) => roles.includes(role)),
    ...roles.filter((r) => !first.includes(r)),
  ]
}

const ONE = { query: { limit: 1 } } as const

export async function askAll(
  target: Target,
  asker: Asker,
  roles: readonly Role[],
  isWanted: (key: { readonly role: Role; readonly env: string }) => boolean = () => true,
): Promise<Answers> {
  const [main] = roles
  const caller = main ?? 'none'
  const whoami = await asker.ask(caller, 'whoami')
  if (whoami?.error) return { whoami, keys: [], isInterface: false }
  const withoutKey = await asker.ask('none', 'listServices', ONE)
  const withInventedKey = await asker.ask('invented', 'listServices', ONE)
  const rateLimits = await asker.ask(caller, 'rateLimits')
  const first = { whoami, withoutKey, withInventedKey, rateLimits }
  const isInterface = Object.values(first).some((each) =>
    looksLikeEnvelope(each?.response?.body ?? ''),
  )
  if (!isInterface || !main) return { ...first, keys: [], shortOf: asker.shortOf, isInterface }
  const services = await asker.ask(main, 'listServices')
  const counted = isAccepted(services) ? await asker.ask(main, 'listServices', ONE) : undefined
  const giftQuote = await askForQuote(target, asker, main)
  const keys = await askKeys(asker, keysToAsk(target, roles, isWanted), {
    catalog: services,
    whoami,
  })
  return {
    ...first,
    services,
    counted,
    giftQuote,
    keys,
    shortOf: asker.shortOf,
    isInterface,
  }
}

/** The key that asks for everything else comes first, whichever are wanted. */
function keysToAsk(
  { credentials, moreKeys = [] }: Target,
  roles: readonly Role[],
  isWanted: (key: { readonly role: Role; readonly env: string }) => boolean,
): KeyToAsk[] {
  const [main] = roles
  return [
    ...roles.map((role): KeyToAsk => {
      const { env = '', scopes } = credentials[role] ?? {}
      return { role, env, scopes }
    }),
    ...moreKeys.map((key): KeyToAsk => {
      const { role, env, scopes } = key
      return { role, env, scopes, isFurther: true, key }
    }),
  ].filter((each) => (each.role === main && !each.isFurther) || isWanted(each))
}

/** Only where the file says what to ask for: a quote buys nothing, but it is a POST. */
async function askForQuote(
  target: Target,
  asker: Asker,
  role: Role,
): Promise<Exchange | undefined> {
  const product = target.products['platform-gift']
  const template = target.operations.createGiftQuote.body
  if (!product || template === undefined) return undefined
  const { variables } = product
  return asker.ask(role, 'createGiftQuote', {
    variables,
    body: renderTemplate(template, variables),
  })
}
