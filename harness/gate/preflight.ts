import { isIP } from 'node:net'
import { BUCKETS } from '../../contract/limits.ts'
import type { Api } from '../client/api.ts'
import type { Exchange } from '../client/exchange.ts'
import { HarnessError } from '../errors.ts'
import { effectiveLimits, isSizeKnown, type EffectiveLimits } from '../quota/effective-limits.ts'
import type { Target } from '../target-file/target.ts'
import { introduce, type Introducing } from './introduce.ts'
import { failUnreachable, strangerStep } from './unreachable.ts'
import { selectOne } from '../target-file/select.ts'
import { introductionOf, looksLikeEnvelope, type Introduction } from './presence.ts'

/** What a few harmless requests tell before anything else is sent. */
export type Preflight = {
  readonly limits: EffectiveLimits
  /** How long a plain request took, the median. */
  readonly latencySeconds: number
  readonly clockSkewMs?: { readonly min: number; readonly max: number }
  readonly introduction: Introduction
  /** Services of the catalog, where its total could be read. */
  readonly servicesListed?: number
  /** Whether this machine reaches the target over IPv6. Undefined: nothing of the run asks. */
  readonly reachesIpv6?: boolean
  readonly hazards: readonly string[]
}

const SKEW_MS_MAX = 2_000

/**
 * Finds out whether the target is there, speaks this interface and takes the key. Throws E_ENVIRONMENT_* otherwise, so that a closed
 * port is one sentence and not a hundred failed checks.
 */
export async function preflight(options: Introducing): Promise<Preflight> {
  const api = await introduce(options)
  const whoami = await api.whoami({ throttled: 'return' })
  if (whoami.error) failUnreachable(whoami.error, options.target.baseUrl)
  const services = await api.listServices({ limit: 1 }, { throttled: 'return' })
  const limits = await limitsAs(api, options)
  const answers = [whoami, services, limits]
  // A refusal too: a server whose successes lack the envelope is broken, but it is no stranger.
  const refused = await api.as('none').listServices({ limit: 1 }, { throttled: 'return' })
  failIfStranger([...answers, refused], options.target)
  failIfKeyRefused(answers, options.target)
  const effective = effectiveLimits(options.target, limits)
  const skew = clockSkew(answers)
  return {
    limits: effective,
    latencySeconds: latencyOf(answers),
    introduction: introductionOf(whoami),
    ...(await reachesIpv6(api, options)),
    ...listedBy(services, options.target),
    ...(skew ? { clockSkewMs: skew } : {}),
    hazards: [
      ...(skew && Math.min(Math.abs(skew.min), Math.abs(skew.max)) > SKEW_MS_MAX
        ? [
            `The target's clock differs from ours by about ${Math.round((skew.min + skew.max) / 2000)} s.`,
          ]
        : []),
      ...unknownLimits(effective),
    ],
  }
}

/** Any of the machine's own addresses: the target is then called over IPv6 alone. */
const ANY_IPV6 = '::'

/** Asked of a host that has a name, for the allowlist entries of a target file. An address tells its family itself. */
async function reachesIpv6(
  api: Api,
  { target, accounts }: Introducing,
): Promise<Pick<Preflight, 'reachesIpv6'>> {
  const { hostname } = new URL(target.baseUrl)
  const isAddress = hostname.startsWith('[') || isIP(hostname) > 0
  if (isAddress || accounts.make || !target.capabilities.includes('allowlist')) return {}
  if (target.network?.family === 4) return { reachesIpv6: false }
  const { response } = await api.whoami({ localAddress: ANY_IPV6, throttled: 'return' })
  return { reachesIpv6: response !== undefined }
}

function listedBy({ json }: Exchange, { operations }: Target): Pick<Preflight, 'servicesListed'> {
  const selector = operations.listServices.selectors['total']
  const total = selector === undefined ? undefined : selectOne(selector, json)
  return typeof total === 'number' && total > 0 ? { servicesListed: total } : {}
}

/** What is assumed is never asserted: the reader learns why so much stays open, and what to add. */
function unknownLimits(limits: EffectiveLimits): string[] {
  const unknown = BUCKETS.filter((bucket) => !isSizeKnown(limits[bucket]))
  if (unknown.length === 0) return []
  const example = `"${unknown[0]}.count" and "${unknown[0]}.windowSeconds"`
  return [
    `Sizes of windows are judged only if they are known. In a target file, add selectors such as ${example} to operations.rateLimits, or state limits. Not known: ${unknown.join(', ')}.`,
  ]
}

/** Whether the report needs funds:read can be read in two ways (OPEN-63). */
async function limitsAs(api: Api, { accounts }: Introducing): Promise<Exchange> {
  const limits = await api.rateLimits({ throttled: 'return' })
  const isForbidden = limits.response?.status === 403 && accounts.roles.includes('funds')
  return isForbidden ? api.as('funds').rateLimits({ throttled: 'return' }) : limits
}

function latencyOf(answers: readonly Exchange[]): number {
  const durations = answers.map(({ sentAtMs, receivedAtMs }) => receivedAtMs - sentAtMs)
  return (durations.toSorted((a, b) => a - b)[durations.length >> 1] ?? 0) / 1000
}

/** One thing of the envelope is enough: a broken server of this interface is to be judged, not turned away. */
function failIfStranger(answers: readonly Exchange[], { baseUrl }: Target): void {
  if (answers.some(({ response }) => looksLikeEnvelope(response?.body ?? ''))) return
  const response = answers[0]?.response
  const body = response?.truncated
    ? 'a body that is longer than 16 MiB'
    : cut(response?.body ?? '', 80)
  throw new HarnessError(
    'E_ENVIRONMENT_STRANGER',
    `something answers at ${baseUrl}, but nothing of it is an envelope of this interface (GET /whoami: HTTP ${response?.status ?? 'none'}, ${body || 'no body'})`,
    strangerStep(answers[0], baseUrl),
  )
}

/** The mark of the cut tells redaction that half a secret may stand before it. */
function cut(text: string, charactersMax: number): string {
  return text.length > charactersMax ? `${text.slice(0, charactersMax)}…` : text
}

function failIfKeyRefused(
  answers: readonly Exchange[],
  { baseUrl, answers: { unknownKeyHttpStatus } }: Target,
): void {
  const statuses = answers.map(({ response }) => response?.status ?? 0)
  const refusals = [401, 403, unknownKeyHttpStatus]
  if (!statuses.every((status) => refusals.includes(status))) return
  const message = (answers[0]?.json as { statusMessage?: unknown } | null | undefined)
    ?.statusMessage
  throw new HarnessError(
    'E_ENVIRONMENT_KEY',
    `${baseUrl} refuses the key on every endpoint (HTTP ${statuses.join(', ')}: ${cut(typeof message === 'string' ? message : 'no statusMessage', 160)})`,
    'Check that the variable holds the key of this environment, that it is neither revoked nor expired, and that its allowlist includes this machine. npm run verify looks at each key.',
  )
}

/** The offset of the target's clock lies in (sent - floor(Date) - 1 s, received - floor(Date)), seen from the target. */
export function clockSkew(answers: readonly Exchange[]): Preflight['clockSkewMs'] {
  let min = -Infinity
  let max = Infinity
  for (const { response, sentAtWallMs, sentAtMs, receivedAtMs } of answers) {
    const date = response?.headers.find(([name]) => name.toLowerCase() === 'date')?.[1]
    const dateMs = date === undefined ? Number.NaN : Date.parse(date)
    if (Number.isNaN(dateMs)) continue
    min = Math.max(min, dateMs - (sentAtWallMs + receivedAtMs - sentAtMs))
    max = Math.min(max, dateMs + 1_000 - sentAtWallMs)
  }
  return Number.isFinite(min) && Number.isFinite(max) && min <= max ? { min, max } : undefined
}
