/** The target file that follows from what was seen and chosen. Pure. */
import type { Capability } from '../../contract/capabilities.ts'
import type { TargetFile } from '../../schemas/generated/target.ts'
import type { Target } from '../target-file/target.ts'
import type { Look } from './look.ts'
import type { Proposal } from './places.ts'
import { CAPABILITY_OF, type Candidate, type VisibleAbility } from './products.ts'

export type Chosen = {
  readonly schema: string
  readonly environment: Target['environment']
  readonly proposals: readonly Proposal[]
  readonly products: Readonly<Partial<Record<VisibleAbility, Candidate>>>
  readonly credentials: TargetFile['credentials']
}

type Branch = { [name: string]: unknown }

function isWindow({ at }: Proposal): boolean {
  return at[1] === 'rateLimits' && at[2] === 'selectors'
}

export function documentOf(target: Target, look: Look, chosen: Chosen): Branch {
  const { products } = chosen
  const document: Branch = {
    $schema: chosen.schema,
    name: target.name,
    baseUrl: target.baseUrl,
    environment: chosen.environment,
    timing: target.timing,
    capabilities: capabilitiesOf(target, look, chosen),
    credentials: chosen.credentials,
    products: Object.fromEntries(
      Object.entries(products).map(([ability, { product }]) => [ability, product]),
    ),
  }
  const windows = chosen.proposals.filter(isWindow)
  // All or nothing: one that was declined is not in the pattern's hands.
  const isWhole = windows.length === look.proposals.filter(isWindow).length
  const byPattern = isWhole && windows.length > 0 ? look.windows : undefined
  for (const proposal of chosen.proposals)
    if (!byPattern || !isWindow(proposal)) put(document, proposal.at, proposal.value)
  if (byPattern) put(document, ['operations', 'rateLimits', 'windows'], byPattern)
  return document
}

function capabilitiesOf(
  target: Target,
  { answered, items }: Look,
  { products, credentials }: Chosen,
): Capability[] {
  if (target.origins['capabilities'] !== 'default') return [...target.capabilities]
  const seen: Capability[] = ['base']
  if (items.length > 0) seen.push('catalog')
  if (products.voucher) seen.push('shop')
  for (const ability of Object.keys(products) as VisibleAbility[]) {
    const capability = CAPABILITY_OF[ability]
    if (capability && !seen.includes(capability)) seen.push(capability)
  }
  if (answered.has('rateLimits')) seen.push('rate-limits')
  if (answered.has('getBalance')) seen.push('funds')
  const { capped, allowed, blocked } = credentials ?? {}
  if (capped) seen.push('transaction-limit')
  if (allowed || blocked) seen.push('allowlist')
  return seen
}

function put(document: Branch, [name = '', ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) document[name] = value
  else put((document[name] ??= {}) as Branch, rest, value)
}
