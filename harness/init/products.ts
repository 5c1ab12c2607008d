/** Which products of the catalog could do for each ability, the cheapest first. Pure. */
import type { Capability, ProductAbility } from '../../contract/capabilities.ts'
import type { SERVICE_TYPES } from '../../contract/wire.ts'
import { currencyCode, formatMoney, parseMoney } from '../money.ts'
import { valueAt, type ListedItem } from './find-catalog.ts'

export type ServiceType = (typeof SERVICE_TYPES)[number]
/** Identifiers of the items that the catalog lists with each `type`. */
export type ItemsByType = Readonly<Partial<Record<ServiceType, ReadonlySet<string>>>>

export type Candidate = {
  readonly label: string
  readonly product: {
    readonly variables: Readonly<Record<string, string | number>>
    readonly currency?: string
    readonly unitPrice?: string
    readonly search?: string
  }
}

/** What can be seen in the catalog; which voucher completes late, in part or never cannot. */
export const VISIBLE_ABILITIES = ['voucher', 'voucher-long', 'dtu', 'quantity', 'esim'] as const
export type VisibleAbility = (typeof VISIBLE_ABILITIES)[number]

/** Whether the catalog shows which item has an ability. */
export function isVisible(ability: ProductAbility): boolean {
  return (VISIBLE_ABILITIES as readonly ProductAbility[]).includes(ability)
}

const IS: Readonly<
  Record<VisibleAbility, (item: ListedItem['item'], types: ItemsByType) => boolean>
> = {
  voucher: (item, types) => isOfType(item, types, 'voucher') && item['amountIsQuantity'] !== true,
  'voucher-long': (item, types) => isOfType(item, types, 'voucher') && item['isLongOrder'] === true,
  dtu: (item, types) => isOfType(item, types, 'direct_topup') && item['amountIsQuantity'] !== true,
  quantity: (item) => item['amountIsQuantity'] === true,
  esim: (item, types) => isOfType(item, types, 'esim'),
}

export const CAPABILITY_OF: Readonly<Partial<Record<VisibleAbility, Capability>>> = {
  'voucher-long': 'long-orders',
  dtu: 'dtu',
  quantity: 'quantity-items',
  esim: 'esim',
}

function isOfType({ id }: ListedItem['item'], types: ItemsByType, type: ServiceType): boolean {
  return types[type]?.has(id) === true
}

const CANDIDATES_MAX = 5

export function candidatesFor(
  ability: VisibleAbility,
  items: readonly ListedItem[],
  types: ItemsByType,
  members: { readonly serviceId?: string | undefined; readonly name?: string | undefined },
): Candidate[] {
  return items
    .filter(({ item }) => IS[ability](item, types) && Number(item['inStock']) > 0)
    .map((each) => ({ each, micros: priceOf(ability, each) }))
    .filter(({ micros }) => micros !== undefined && micros > 0n)
    .toSorted((a, b) => Number((a.micros ?? 0n) - (b.micros ?? 0n)))
    .slice(0, CANDIDATES_MAX)
    .map(({ each, micros = 0n }) => candidateOf(each, micros, members))
}

/** A unitPrice is in USD. Of an item in another currency only its price is proposed. */
export function priceOf(ability: VisibleAbility, { item }: ListedItem): bigint | undefined {
  const isByUnit = ability === 'quantity' && currencyCode(item['currency']) === 'USD'
  return parseMoney(isByUnit ? item['unitPrice'] : item['price'])
}

function candidateOf(
  { item, service }: ListedItem,
  micros: bigint,
  members: { readonly serviceId?: string | undefined; readonly name?: string | undefined },
): Candidate {
  const serviceId =
    members.serviceId === undefined ? undefined : valueAt(service, members.serviceId)
  const name = members.name === undefined ? undefined : valueAt(service, members.name)
  const currency = typeof item['currency'] === 'string' ? item['currency'] : undefined
  const unitPrice = formatMoney(micros)
  const isNamed = typeof serviceId === 'string' || typeof serviceId === 'number'
  const title = typeof item['name'] === 'string' ? `, ${item['name']}` : ''
  return {
    label: `${item.id}${title}, ${currency ?? ''} ${unitPrice}`,
    product: {
      variables: { ...(isNamed && { serviceId }), itemId: item.id },
      ...(currency !== undefined && { currency }),
      unitPrice,
      ...(typeof name === 'string' && isIn(name, item['name']) && { search: name }),
    },
  }
}

/** A text to search for has to stand in both names. */
function isIn(text: string, name: unknown): boolean {
  return typeof name === 'string' && name.toLowerCase().includes(text.toLowerCase())
}
