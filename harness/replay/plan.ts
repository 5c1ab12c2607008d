/** What of a record is sent again, and how. */
import { isPurchase } from '../../contract/operations.ts'
import type { Exchange, Finding, RunRecord } from '../../schemas/generated/run-record.ts'
import { HarnessError, usageError } from '../errors.ts'
import type { WireRequest } from '../client/exchange.ts'

export type Planned = {
  readonly recorded: Exchange
  readonly request: WireRequest
  /** The one that the finding is about. */
  readonly isOffending: boolean
}

export type ReplayOptions = {
  readonly check: string
  readonly baseUrl?: string | undefined
  readonly allowPurchases: boolean
  readonly env: Readonly<Record<string, string | undefined>>
}

/** The requests of the first failure that a check or requirement shows. Throws E_USAGE, E_TARGET_ENV_MISSING or E_PERMISSION. */
export function planReplay(record: RunRecord, options: ReplayOptions): readonly Planned[] {
  const finding = findingOf(record, options.check)
  const held = new Map(record.exchanges.map((each) => [each.id, each]))
  const recorded = finding.exchanges
    .flatMap((id) => held.get(id) ?? [])
    .toSorted((a, b) => a.sentAtMs - b.sentAtMs)
  if (recorded.length === 0)
    throw usageError(`the record holds no exchange of ${options.check}`, 'Choose another failure.')
  const baseUrl = baseUrlOf(record, finding, options)
  requirePermitted(recorded, options)
  requireKeys(recorded, options)
  return recorded.map((each) => ({
    recorded: each,
    request: requestOf(each, { before: record.target.baseUrl, baseUrl, env: options.env }),
    isOffending: each.id === (finding.offending ?? finding.exchanges.at(-1)),
  }))
}

function findingOf({ checks }: RunRecord, wanted: string): Finding {
  const failed = checks.flatMap(({ id, findings }) =>
    findings
      .filter(({ verdict }) => verdict === 'fail' || verdict === 'warn')
      .map((finding) => ({ id, finding })),
  )
  const found = failed.find(({ id, finding }) => id === wanted || finding.requirement === wanted)
  if (found) return found.finding
  const names = [...new Set(failed.flatMap(({ id, finding }) => [finding.requirement, id]))]
  throw usageError(
    `no failure of ${wanted} stands in the record`,
    names.length === 0 ? 'Nothing failed in it.' : `Choose from ${names.slice(0, 20).join(', ')}.`,
  )
}

function baseUrlOf(
  { target, checks }: RunRecord,
  finding: Finding,
  { baseUrl }: ReplayOptions,
): string {
  if (baseUrl !== undefined) {
    const parsed = URL.parse(baseUrl)
    if (parsed === null || !/^https?:$/.test(parsed.protocol))
      throw usageError(`--base-url was "${baseUrl}"`, 'Write it as https://staging.example.')
    return baseUrl.replace(/\/$/, '')
  }
  if (target.kind === 'url') return target.baseUrl
  const check = checks.find(({ findings }) => findings.includes(finding))
  throw usageError(
    `the service of this run is gone: it was ${target.kind === 'embedded' ? 'the embedded one' : 'a container'}`,
    `Repeat the check with ${check?.repeat ?? 'npm run conformance'}, or name a service with --base-url.`,
  )
}

function requirePermitted(recorded: readonly Exchange[], { allowPurchases }: ReplayOptions): void {
  const buying = recorded.filter(({ operation }) => isPurchase(operation))
  if (buying.length === 0 || allowPurchases) return
  throw new HarnessError(
    'E_PERMISSION',
    `${buying.length} of the ${recorded.length} requests may create orders`,
    'Permit them with --allow-purchases. Each has its old referenceId.',
  )
}

/** The variable that the recorded curl line names for the key; undefined where it sends none. */
function keyVariableOf({ curl }: Exchange): string | undefined {
  return /"x-api-key: \$(\w+)"/i.exec(curl)?.[1]
}

function requireKeys(recorded: readonly Exchange[], { env }: ReplayOptions): void {
  const names = new Set(recorded.flatMap((each) => keyVariableOf(each) ?? []))
  const missing = [...names].filter((name) => !env[name])
  if (missing.length === 0) return
  throw new HarnessError(
    'E_TARGET_ENV_MISSING',
    `${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} not set`,
    'Set them to the keys that the recorded requests presented.',
  )
}

/** The base URL then and now, and where the keys are. */
type Places = Pick<ReplayOptions, 'env'> & { readonly before: string; readonly baseUrl: string }

function requestOf(recorded: Exchange, { before, baseUrl, env }: Places): WireRequest {
  const variable = keyVariableOf(recorded)
  const headers = recorded.requestHeaders.map(([name, value]): [string, string] =>
    name.toLowerCase() === 'x-api-key' && variable !== undefined
      ? [name, env[variable] ?? '']
      : [name, value],
  )
  const path = recorded.url.startsWith(before)
    ? recorded.url.slice(before.length)
    : pathOf(recorded.url)
  return {
    method: recorded.method,
    url: `${baseUrl}${path}`,
    headers,
    ...(recorded.requestBody === undefined ? {} : { body: recorded.requestBody }),
  }
}

function pathOf(url: string): string {
  const { pathname, search } = new URL(url)
  return `${pathname}${search}`
}
