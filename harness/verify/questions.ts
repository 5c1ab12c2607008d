/** Which requests verify sends. None of them buys, and all of them are reads but the quote of a gift, which buys nothing. */
import { randomUUID } from 'node:crypto'
import type { Role } from '../../contract/capabilities.ts'
import type { Scope } from '../../contract/wire.ts'
import type { Exchange } from '../client/exchange.ts'
import type { Credential, Target } from '../target-file/target.ts'
import { renderTemplate } from '../target-file/template.ts'
import { looksLikeEnvelope } from '../gate/presence.ts'
import { isAccepted, type Asker } from './asker.ts'

/** What one key was answered. */
export type KeyAnswers = {
  readonly role: Role
  readonly env: string
  /** Another key of the role was named before. */
  readonly isFurther?: boolean
  /** As the target file states them. */
  readonly scopes?: readonly Scope[] | undefined
  readonly catalog?: Exchange | undefined
  readonly orders?: Exchange | undefined
  readonly balance?: Exchange | undefined
  /** Asked where nothing else was accepted: it needs no scope that the interface names. */
  readonly whoami?: Exchange | undefined
}

export type Answers = {
  readonly whoami?: Exchange | undefined
  readonly withoutKey?: Exchange | undefined
  readonly withInventedKey?: Exchange | undefined
  readonly services?: Exchange | undefined
  readonly counted?: Exchange | undefined
  readonly rateLimits?: Exchange | undefined
  readonly keys: readonly KeyAnswers[]
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
  if (!isInterface || !main) return { ...first, keys: [], isInterface }
  const services = await asker.ask(main, 'listServices')
  const counted = isAccepted(services) ? await asker.ask(main, 'listServices', ONE) : undefined
  const giftQuote = await askForQuote(target, asker, main)
  const keys: KeyAnswers[] = []
  for (const role of roles) {
    const known = role === main ? { catalog: services, whoami } : {}
    keys.push(await askForKey(target, asker, role, known))
  }
  for (const key of target.moreKeys ?? [])
    keys.push({ ...(await askForKey(target, asker, key.role, {}, key)), isFurther: true })
  return { ...first, services, counted, giftQuote, keys, isInterface }
}

async function askForKey(
  target: Target,
  asker: Asker,
  role: Role,
  known: Pick<KeyAnswers, 'catalog' | 'whoami'>,
  key?: Credential,
): Promise<KeyAnswers> {
  const { env = '', scopes } = key ?? target.credentials[role] ?? {}
  const catalog = known.catalog ?? (await asker.ask(role, 'listServices', { ...ONE, key }))
  // A key that does not exist, or no longer, is refused everywhere: once is enough.
  if (catalog?.response?.status === 401) return { role, env, scopes, ...known, catalog }
  const query = { referenceId: randomUUID() }
  const orders = await asker.ask(role, 'getOrders', { query, key })
  const needsBalance =
    role === 'funds' || role === 'full' || scopes?.includes('funds:read') === true
  const balance = needsBalance ? await asker.ask(role, 'getBalance', { key }) : undefined
  const read = { role, env, scopes, ...known, catalog, orders, balance }
  if (known.whoami || [catalog, orders, balance].some(isAccepted)) return read
  return { ...read, whoami: await asker.ask(role, 'whoami', { key }) }
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
