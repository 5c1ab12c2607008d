/** `try`: what its command line means, and what it prints. */
import { isAccepted } from '../../contract/answers.ts'
import {
  PRODUCT_ABILITIES,
  ROLES,
  type ProductAbility,
  type Role,
} from '../../contract/capabilities.ts'
import { OPERATIONS, type OperationName } from '../../contract/operations.ts'
import { keyringOf } from '../accounts/accounts.ts'
import { Api } from '../client/api.ts'
import { Client } from '../client/client.ts'
import type { Exchange } from '../client/exchange.ts'
import { History } from '../client/history.ts'
import { openTransport } from '../client/open-transport.ts'
import { RealClock } from '../clock.ts'
import { HarnessError, usageError } from '../errors.ts'
import { formatMoney, parseMoney } from '../money.ts'
import { watchedAccounts } from '../gate/watched-accounts.ts'
import { proxySecrets } from '../network/proxy.ts'
import { PurchaseGuard } from '../purchases/purchase-guard.ts'
import { Redactor } from '../record/redact.ts'
import { takesColour } from '../report/console.ts'
import { readCommandLine, requireTarget, type CommandStreams } from '../target-file/command-line.ts'
import { didYouMean } from '../nearest.ts'
import { resolveTarget } from '../target-file/resolve.ts'
import { ORDER_KINDS, type Scalar, type Target } from '../target-file/target.ts'
import { findAll, type Found } from './found.ts'
import { TRY_PAGE } from './page.ts'
import { renderTry } from './render.ts'
import {
  isAmountAssumed,
  kindOf,
  mayBuy,
  productOf,
  requireSendable,
  sendOne,
  unitsOf,
  type Wanted,
} from './send.ts'

/** Two positions at most, and no more can come of one request. */
const ORDERS_MAX = 2

export async function tryCommand(
  argv: readonly string[],
  env: NodeJS.ProcessEnv,
  streams: CommandStreams,
): Promise<number> {
  const { target: flags, values, words } = readCommandLine(TRY_PAGE, argv, env)
  requireTarget(flags, env, 'try OPERATION', words)
  const [operation, ...more] = words
  if (operation === undefined || more.length > 0)
    throw usageError(
      `${words.length} operations were given`,
      `Name one of ${Object.keys(OPERATIONS).join(', ')}.`,
    )
  const wanted: Wanted = {
    operation: oneOf(operation, Object.keys(OPERATIONS) as OperationName[], 'operation'),
    role: oneOf(values.role, Object.keys(ROLES) as Role[], '--role'),
    ...(values.product === undefined
      ? {}
      : { product: oneOf(values.product, PRODUCT_ABILITIES, '--product') }),
    ...(values.kind === undefined ? {} : { kind: oneOf(values.kind, ORDER_KINDS, '--kind') }),
    set: settings(values.set ?? []),
  }
  const named = { ...flags, allowMissingCredentials: true }
  const target = resolveTarget({ flags: named, env, cwd: process.cwd() })
  requireSendable(target, wanted)
  if (mayBuy(wanted) && values['allow-purchases'] !== true) await permit(target, wanted, streams)
  const redactor = new Redactor()
  for (const secret of proxySecrets(target.baseUrl, env))
    redactor.addSecret(secret, 'password of the proxy')
  watchedAccounts(target, redactor)
  const exchange = await exchangeOf(target, wanted, env)
  redactor.learn(exchange.json)
  const isCheck = wanted.operation === 'createOrder' && kindOf(wanted) === 'dtu-check'
  const found =
    exchange.json === undefined ? [] : findAll(target, wanted.operation, exchange, isCheck)
  const colour = takesColour(streams.out, env)
  streams.out.write(renderTry(exchange, found, { redactor, colour }))
  if (exchange.response?.status === 422 && isAmountAssumed(target, wanted))
    streams.out.write(
      'The amount was 1, since neither the product nor --set gives one. Say --set amount=N, or give the product the variable "amount"; an item by quantity shows its minQuantity in the catalog.\n',
    )
  return exitCodeOf(exchange, found)
}

function exitCodeOf({ response }: Exchange, found: readonly Found[]): number {
  if (!response) return 3
  const isLost = found.some(
    ({ selector, values, mayLack }) =>
      selector !== undefined && values.length === 0 && mayLack === undefined,
  )
  return isAccepted(response) && !isLost ? 0 : 5
}

async function exchangeOf(
  target: Target,
  wanted: Wanted,
  env: NodeJS.ProcessEnv,
): Promise<Exchange> {
  const clock = new RealClock()
  const transport = openTransport(target, { connectTimeoutMs: 5_000 }, env)
  const pacer = { admit: () => undefined, settle: () => {} }
  const client = new Client({ transport, clock, history: new History(), pacer })
  const guard = new PurchaseGuard({ ordersMax: mayBuy(wanted) ? ORDERS_MAX : 0 })
  const keyring = keyringOf(target.credentials)
  const context = { client, target, clock, guard, keyring, check: 'try' }
  try {
    return await sendOne(target, wanted, new Api(context, wanted.role))
  } finally {
    await transport.close()
  }
}

/** A purchase that the option does not permit is asked for first. */
async function permit(target: Target, wanted: Wanted, { ask }: CommandStreams): Promise<void> {
  const ability = productOf(target, wanted) ?? 'voucher'
  const price = priceText(target, ability, unitsOf(target, wanted))
  const isCheck = wanted.operation === 'createOrder' && kindOf(wanted) === 'dtu-check'
  const what = isCheck
    ? `a check of "${ability}", which buys nothing if the service is right`
    : `a purchase of "${ability}" for ${price}`
  const answer = await ask?.(`This sends ${what}, to ${target.baseUrl}. Send it? (yes/no) `)
  if (answer !== undefined && /^y(es)?$/i.test(answer.trim())) return
  throw new HarnessError(
    'E_PERMISSION',
    `${what} was not permitted`,
    'Answer yes on a terminal, or pass --allow-purchases. Nothing was sent.',
  )
}

/** What the file says that so many cost. */
function priceText(
  { products }: Target,
  ability: ProductAbility,
  units: number | undefined,
): string {
  const { unitPrice, currency = '' } = products[ability] ?? {}
  const micros = parseMoney(unitPrice)
  if (micros === undefined || units === undefined) return 'a price that the file does not state'
  const all = BigInt(Math.ceil(Number(micros) * units))
  const parts = units === 1 ? '' : ` (${units} at ${unitPrice})`
  return `${currency} ${formatMoney(all)}${parts}`
}

/** As JSON where it is a number, true, false, null or a text in quotes; any other text is itself. */
function scalarOf(text: string): Scalar {
  if (/^(?:true|false|null|".*")$/s.test(text)) return parsed(text)
  // A number that would lose a digit is the name of something.
  return /^-?\d+(?:\.\d+)?$/.test(text) && String(Number(text)) === text ? Number(text) : text
}

function parsed(text: string): Scalar {
  try {
    return JSON.parse(text) as Scalar
  } catch {
    return text
  }
}

function settings(texts: readonly string[]): Record<string, Scalar> {
  const pairs = texts.map((text) => {
    const at = text.indexOf('=')
    if (at < 1) throw usageError(`--set was "${text}"`, 'Write --set NAME=VALUE.')
    return [text.slice(0, at), scalarOf(text.slice(at + 1))] as const
  })
  return Object.fromEntries(pairs)
}

function oneOf<T extends string>(text: string, allowed: readonly T[], what: string): T {
  const value = allowed.find((each) => each === text)
  if (value !== undefined) return value
  throw usageError(
    `${what} was "${text}"`,
    didYouMean(text, allowed, `Choose from ${allowed.join(', ')}.`),
  )
}
