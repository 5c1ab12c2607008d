import { BUCKETS } from '../../contract/limits.ts'
import type { Exchange } from '../client/exchange.ts'
import { HarnessError } from '../errors.ts'
import { effectiveLimits, isSizeKnown, type EffectiveLimits } from '../quota/effective-limits.ts'
import type { Target } from '../target/target.ts'
import { introduce, type Introducing } from './introduce.ts'
import { introductionOf, looksLikeEnvelope, type Introduction } from './presence.ts'

/** What a few harmless requests tell before anything else is sent. */
export type Preflight = {
  readonly limits: EffectiveLimits
  /** How long a plain request took, the median. */
  readonly latencySeconds: number
  readonly clockSkewMs?: { readonly min: number; readonly max: number }
  readonly introduction: Introduction
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
  failIfUnreachable(whoami, options.target)
  const services = await api.listServices({ limit: 1 }, { throttled: 'return' })
  const limits = await api.rateLimits({ throttled: 'return' })
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

/** What is assumed is never asserted: the reader learns why so much stays open, and what to add. */
function unknownLimits(limits: EffectiveLimits): string[] {
  const unknown = BUCKETS.filter((bucket) => !isSizeKnown(limits[bucket]))
  if (unknown.length === 0) return []
  const example = `"${unknown[0]}.count" and "${unknown[0]}.windowSeconds"`
  return [
    `How large these windows are is not known, so their sizes are not judged: ${unknown.join(', ')}. Add selectors such as ${example} to operations.rateLimits.selectors of a target file, or state limits.`,
  ]
}

function latencyOf(answers: readonly Exchange[]): number {
  const durations = answers.map(({ sentAtMs, receivedAtMs }) => receivedAtMs - sentAtMs)
  return (durations.toSorted((a, b) => a - b)[durations.length >> 1] ?? 0) / 1000
}

/** What undici says of an answer that is none of HTTP. */
const NOT_HTTP = /^HPE_|does not match the HTTP/

/** What OpenSSL and Node say of a certificate that they do not accept. */
const NOT_TRUSTED = /^(?:ERR_TLS_|CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|HOSTNAME_MISMATCH)/

/** How a server ends that wants a certificate of ours, or another one: by an alert, or by hanging up. */
const CLOSED =
  /^(?:ERR_SSL_.*(?:CERTIFICATE|HANDSHAKE_FAILURE|UNKNOWN_CA).*|ECONNRESET|UND_ERR_SOCKET)$/

function failIfUnreachable({ error }: Exchange, { baseUrl }: Target): void {
  if (!error) return
  if (NOT_HTTP.test(error.code) || NOT_HTTP.test(error.message))
    throw new HarnessError(
      'E_ENVIRONMENT_STRANGER',
      `something at ${baseUrl} takes connections but does not speak HTTP (${error.message})`,
      'Check the port and the scheme (http or https) of the base URL.',
    )
  if (NOT_TRUSTED.test(error.code))
    throw new HarnessError(
      'E_ENVIRONMENT_UNREACHABLE',
      `${baseUrl} shows a certificate that is not trusted here (${error.code})`,
      'Name the certificate of the authority that issued it: NODE_EXTRA_CA_CERTS=FILE.pem (load takes it over for k6), or correct the host name of the base URL.',
    )
  if (baseUrl.startsWith('https:') && CLOSED.test(error.code))
    throw new HarnessError(
      'E_ENVIRONMENT_UNREACHABLE',
      `${baseUrl} ended the TLS connection without an answer (${error.code}: ${error.message})`,
      'If it wants a certificate of its client, show one: --client-cert FILE.pem --client-key FILE.pem. Otherwise look at its log, and at what stands before it.',
    )
  throw new HarnessError(
    'E_ENVIRONMENT_UNREACHABLE',
    `${baseUrl} does not answer (${error.code}: ${error.message})`,
    'Start the service, or correct the base URL (--base-url, ORDERING_BASE_URL or baseUrl in the target file); then look at DNS, proxy and TLS.',
  )
}

/** One thing of the envelope is enough: a broken server of this interface is to be judged, not turned away. */
function failIfStranger(answers: readonly Exchange[], { baseUrl }: Target): void {
  if (answers.some(({ response }) => looksLikeEnvelope(response?.body ?? ''))) return
  const [first] = answers
  throw new HarnessError(
    'E_ENVIRONMENT_STRANGER',
    `something answers at ${baseUrl}, but nothing of it is an envelope of this interface (GET /whoami: HTTP ${first?.response?.status ?? 'none'}, ${cut(first?.response?.body ?? '', 80)})`,
    'Check that the base URL points at the ordering service itself, without /api/v1, and not at a proxy or a login page.',
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
    `${baseUrl} refuses the key on every endpoint (HTTP ${statuses.join(', ')}: ${cut(String(message), 160)})`,
    'Check that the variable holds the key of this environment, that it is neither revoked nor expired, and that its allowlist includes this machine.',
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
