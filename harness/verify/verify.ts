/** A first look at a target in seconds: few harmless requests, no purchase, no k6. */
import { watchedAccounts } from '../gate/watched-accounts.ts'
import { openTransport, wayTo } from '../client/open-transport.ts'
import type { Exchange } from '../client/exchange.ts'
import { RealClock, type Clock } from '../clock.ts'
import { keyringOf } from '../accounts/accounts.ts'
import { probeWay, type WayProbe } from './way-probe.ts'
import type { Redactor } from '../record/redact.ts'
import type { Target } from '../target-file/target.ts'
import { keysOfFile } from '../target-file/keys.ts'
import { plural } from '../text.ts'
import { answerText, Asker, statusOf } from './asker.ts'
import { catalogLayer, productsLayer } from './catalog.ts'
import { addressLayer, clockLayer, interfaceLayer } from './interface.ts'
import { keyLayers } from './keys.ts'
import { fail, notTried, pass, warn, type Layer } from './layer.ts'
import { gateLayer, limitsLayers, ordersLayer } from './limits.ts'
import { askAll, rolesOf, type Answers } from './questions.ts'
import { readinessOf, type Readiness } from './readiness.ts'
import { wayLayers } from './way.ts'

export const REQUESTS_MAX = 39
/** Of all together, the look at the way included: two seconds are left for the start of the command. */
const SECONDS_MAX = 18

export type Verification = {
  readonly target: string
  readonly baseUrl: string
  readonly layers: readonly Layer[]
  /** Undefined where only some keys were looked at. */
  readonly readiness?: Readiness
  readonly requests: number
  readonly seconds: number
}

export type Verified = Verification & { readonly exchanges: readonly Exchange[] }

export type VerifyOptions = {
  readonly target: Target
  readonly hazards: readonly string[]
  readonly redactor: Redactor
  readonly env: NodeJS.ProcessEnv
  readonly clock?: Clock
  readonly signal?: AbortSignal
  /** Only these keys, by role or by variable: of the whole nothing is said then. */
  readonly keys?: readonly string[]
}

export async function verify(options: VerifyOptions): Promise<Verified> {
  const { target, env, clock = new RealClock() } = options
  const startedMs = clock.nowMs()
  const way = await probeWay(target.baseUrl, wayTo(target, env))
  const isTls = target.baseUrl.startsWith('https:')
  const ofWay = wayLayers(way, isTls, clock.wallMs())
  const asked = ofWay.some(({ state }) => state === 'fail')
    ? { answers: { keys: [], isInterface: false }, exchanges: [] }
    : await askTarget(options, clock, startedMs)
  const { answers, exchanges } = asked
  const layers = [
    configurationLayer(options),
    ...ofWay,
    ...answerLayers(target, answers, exchanges, way),
  ]
  return {
    target: target.name,
    baseUrl: target.baseUrl,
    layers,
    ...(options.keys ? {} : { readiness: readinessOf(target, layers, answers) }),
    requests: exchanges.length,
    seconds: (clock.nowMs() - startedMs) / 1000,
    exchanges,
  }
}

async function askTarget(
  { target, redactor, env, signal, keys }: VerifyOptions,
  clock: Clock,
  startedMs: number,
): Promise<{ readonly answers: Answers; readonly exchanges: readonly Exchange[] }> {
  const accounts = watchedAccounts(target, redactor)
  const roles = rolesOf(target)
  // A target that makes accounts needs no key of the file: one of its own does for a look.
  const keyring =
    roles.length === 0 && target.control
      ? await accounts.open({ roles: ['full'] })
      : keyringOf(target.credentials)
  const transport = openTransport(
    target,
    { connectTimeoutMs: 3_000, responseTimeoutMs: 6_000 },
    env,
  )
  const leftMs = SECONDS_MAX * 1000 - (clock.nowMs() - startedMs)
  const deadline = AbortSignal.timeout(Math.max(1, Math.floor(leftMs)))
  const asker = new Asker({
    target,
    keyring,
    transport,
    clock,
    requestsMax: REQUESTS_MAX,
    signal: signal ? AbortSignal.any([signal, deadline]) : deadline,
  })
  try {
    const answers = await askAll(
      target,
      asker,
      roles.length === 0 && keyring.has('full') ? ['full'] : roles,
      keys && (({ role, env: name }) => keys.includes(role) || keys.includes(name)),
    )
    return { answers, exchanges: asker.exchanges }
  } finally {
    await transport.close()
  }
}

function configurationLayer({ target, hazards }: VerifyOptions): Layer {
  const name = 'configuration'
  const keys = keysOfFile(target).length
  const products = Object.keys(target.products).length
  const told = `${target.baseUrl}, ${plural(keys, 'key')}, ${plural(products, 'product')}`
  const [first] = hazards
  if (first === undefined) return pass(name, told)
  return warn(
    name,
    `${told}; ${hazards.join(' ')}`,
    'Correct the target file or the environment where this was not meant.',
  )
}

function answerLayers(
  target: Target,
  answers: Answers,
  exchanges: readonly Exchange[],
  way: WayProbe,
): Layer[] {
  const ofInterface = interfaceLayer(target, answers)
  if (!answers.isInterface) return [clockLayer(exchanges), ofInterface]
  const keys = keyLayers(answers)
  return [
    clockLayer(exchanges),
    ofInterface,
    addressLayer(target, answers, way.proxy !== undefined),
    ...(keys.length > 0
      ? keys
      : [fail('keys', 'there is none', 'Set ORDERING_KEY, or name variables under credentials.')]),
    ...limitsLayers(target, answers, exchanges).map((each) =>
      each.name === 'limits' ? ofKey(each, keys, answers.rateLimits) : each,
    ),
    ofKey(catalogLayer(target, answers), keys, answers.services),
    productsLayer(target, answers),
    ofKey(ordersLayer(answers), keys, answers.keys[0]?.orders),
    gateLayer(target, answers),
  ]
}

/** If the key that asked was refused, or there was none, the line of the keys reports it. */
function ofKey(layer: Layer, [main]: readonly Layer[], exchange: Exchange | undefined): Layer {
  const isRefused = [401, 403].includes(statusOf(exchange) ?? 0) && layer.state !== 'pass'
  if (isRefused && !main) return notTried(layer.name, `no key asked: ${answerText(exchange)}`)
  return isRefused && main?.state === 'fail'
    ? notTried(layer.name, `refused for the ${main.name}: ${answerText(exchange)}`)
    : layer
}

/** 0: nothing failed. 3: the environment is not ready. */
export function exitCodeOf({ layers }: Pick<Verification, 'layers'>): 0 | 3 {
  return layers.some(({ state }) => state === 'fail') ? 3 : 0
}
