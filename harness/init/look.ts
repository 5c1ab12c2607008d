/** Looks at a target by safe GETs and says what its file could state. */
import { randomUUID } from 'node:crypto'
import { SERVICE_TYPES } from '../../contract/wire.ts'
import { OPERATIONS, partOf, type OperationName } from '../../contract/operations.ts'
import type { Exchange } from '../client/exchange.ts'
import { parseIp } from '../judge/addresses.ts'
import { select, selectEach } from '../target-file/select.ts'
import type { Credential } from '../target-file/target.ts'
import type { WindowsPattern } from '../target-file/windows-pattern.ts'
import { answerText, isAccepted, statusOf, type Asker } from '../verify/asker.ts'
import { productItemsIn } from '../verify/catalog-items.ts'
import { findAddress } from './find-address.ts'
import {
  findCatalog,
  serviceIdMember,
  stepsTo,
  valueAt,
  type CatalogShape,
  type ListedItem,
} from './find-catalog.ts'
import { findLimits } from './find-limits.ts'
import { confirmedOrder, findOrderValues, orderCandidates } from './find-orders.ts'
import {
  excerptOf,
  pathOf,
  placesOf,
  selectorOf,
  selectorProposal,
  type Proposal,
} from './places.ts'
import type { ItemsByType } from './products.ts'

export type Look = {
  readonly proposals: readonly Proposal[]
  /** Operations that answered, by any path. */
  readonly answered: ReadonlySet<OperationName>
  readonly items: readonly ListedItem[]
  readonly types: ItemsByType
  readonly members: { readonly serviceId?: string | undefined; readonly name?: string | undefined }
  /** The pattern of all reported windows, where there is one. */
  readonly windows?: WindowsPattern
  /** What was refused, or not found, in a few words. */
  readonly notes: readonly string[]
}

/** The paths that the interface shows, with and without its prefix. */
export function pathsOf(operation: OperationName): readonly string[] {
  const { path } = OPERATIONS[operation] as { path?: string }
  if (path === undefined) return []
  return [path, path.startsWith('/api/v1') ? path.slice('/api/v1'.length) : `/api/v1${path}`]
}

type Paths = Readonly<Partial<Record<OperationName, string>>>

export type LookOptions = {
  /** Paths that the interface does not show. */
  readonly given: Paths
  /** The key with the scope funds:read, where there is one. */
  readonly funds?: Credential | undefined
}

export async function lookAt(asker: Asker, options: LookOptions): Promise<Look> {
  const looking = new Looking(asker, options)
  await looking.address()
  // Each further silence would be waited for as long as the first.
  if (asker.exchanges.every(({ response }) => !response))
    return looking.told(findCatalog(undefined, undefined))
  await looking.limits()
  const catalog = await looking.catalog()
  await looking.orders()
  await looking.funds()
  await looking.answers()
  return looking.told(catalog)
}

class Looking {
  readonly #asker: Asker
  readonly #given: Paths
  readonly #funds: Credential | undefined
  readonly #proposals: Proposal[] = []
  readonly #answered = new Set<OperationName>()
  readonly #notes: string[] = []
  readonly #paths = new Map<OperationName, string>()
  readonly #successCodes = new Set<unknown>()
  readonly #types: Partial<Record<(typeof SERVICE_TYPES)[number], ReadonlySet<string>>> = {}
  #nameMember: string | undefined
  #windows: WindowsPattern | undefined

  constructor(asker: Asker, { given, funds }: LookOptions) {
    this.#asker = asker
    this.#given = given
    this.#funds = funds
  }

  /** By the path that is given, else by those that the interface shows: the first that is there. */
  async #ask(
    operation: OperationName,
    query: Readonly<Record<string, string | number>> = {},
  ): Promise<Exchange | undefined> {
    const known = this.#paths.get(operation)
    const paths =
      known === undefined ? [this.#given[operation] ?? pathsOf(operation)].flat() : [known]
    let last: Exchange | undefined
    for (const path of paths) {
      last = await this.#send(operation, path, query)
      if (last === undefined || last.error) break
      if (statusOf(last) === 404) continue
      this.#settle(operation, path)
      if (isAccepted(last)) this.#accept(operation, last)
      else
        this.#notes.push(
          `${operation}: ${answerText(last).replace(/\.$/, '')}${this.#advice(operation, last)}`,
        )
      return last
    }
    if (last)
      this.#notes.push(
        `${operation}: ${last.error?.code ?? `HTTP ${statusOf(last)}`} at ${paths.join(' and ')}`,
      )
    return undefined
  }

  /** Balances take a scope of their own. Whether the report of limits does can be read in two ways (OPEN-63). */
  async #send(
    operation: OperationName,
    path: string,
    query: Readonly<Record<string, string | number>>,
  ): Promise<Exchange | undefined> {
    const asFunds = (): Promise<Exchange | undefined> =>
      this.#asker.ask('funds', operation, { path, query, key: this.#funds })
    if (partOf(operation) === 'funds' && this.#funds) return asFunds()
    const answer = await this.#asker.ask('full', operation, { path, query })
    if (statusOf(answer) !== 403 || operation !== 'rateLimits' || !this.#funds) return answer
    return asFunds()
  }

  #settle(operation: OperationName, path: string): void {
    if (this.#paths.has(operation)) return
    this.#paths.set(operation, path)
    if (path === (OPERATIONS[operation] as { path?: string }).path) return
    const why = this.#given[operation] === undefined ? 'it answers there' : 'as given'
    const at = ['operations', operation, 'path']
    this.#proposals.push({ at, value: path, excerpt: '', why, certainty: 'sure' })
  }

  #advice(operation: OperationName, exchange: Exchange): string {
    return partOf(operation) === 'funds' && !this.#funds && statusOf(exchange) === 403
      ? '. Name a key with the scope funds:read: --key funds=VARIABLE'
      : ''
  }

  #accept(operation: OperationName, { json }: Exchange): void {
    this.#answered.add(operation)
    this.#successCodes.add((json as { statusCode?: unknown } | undefined)?.statusCode)
  }

  async address(): Promise<void> {
    const whoami = await this.#ask('whoami')
    const { connection = '' } = whoami?.response ?? {}
    this.#proposals.push(...findAddress(whoami?.json, parseIp(connection.replace(/:\d+$/, ''))))
  }

  async limits(): Promise<void> {
    const { proposals, windows } = findLimits((await this.#ask('rateLimits'))?.json)
    this.#proposals.push(...proposals)
    this.#windows = windows
  }

  async catalog(): Promise<CatalogShape> {
    const complete = await this.#ask('listServices')
    const counted = isAccepted(complete) ? await this.#ask('listServices', { limit: 1 }) : undefined
    const shape = findCatalog(complete?.json, counted?.json)
    this.#proposals.push(...shape.proposals)
    if (shape.items.length > 0)
      for (const type of SERVICE_TYPES) {
        const listed = await this.#ask('listServices', { type })
        const found = productItemsIn(listed?.json).map(({ id }) => id)
        // A service that does not filter says nothing of types.
        if (isAccepted(listed) && found.length < shape.items.length)
          this.#types[type] = new Set(found)
      }
    await this.#name(shape)
    return shape
  }

  /** The name of a product is what a search finds it by. */
  async #name({ services, servicesPath, nameMembers }: CatalogShape): Promise<void> {
    if (!servicesPath) return
    for (const member of nameMembers.slice(0, 3)) {
      const text = String(valueAt(services[0], member))
      const way = [...servicesPath, ...stepsTo(member)]
      const found = await this.#ask('listServices', { search: text.toUpperCase() })
      const names = selectEach(pathOf(way), found?.json)
      const holds = names.every((name) => String(name).toLowerCase().includes(text.toLowerCase()))
      if (names.length === 0 || names.length >= services.length || !holds) continue
      this.#nameMember = member
      this.#proposals.push(
        selectorProposal('listServices', 'names', pathOf(way), {
          excerpt: excerptOf(services.map((each) => valueAt(each, member))),
          why: `a search for "${text.toUpperCase().slice(0, 30)}" finds it`,
          certainty: 'sure',
        }),
      )
      return
    }
  }

  async orders(): Promise<void> {
    const listed = await this.#ask('getOrders')
    this.#proposals.push(...findOrderValues(listed?.json))
    const open = new Map([
      ['orderIds', 'orderId'],
      ['referenceIds', 'referenceId'],
    ] as const)
    for (const candidate of orderCandidates(listed?.json))
      for (const [name, parameter] of open) {
        const found = await this.#ask('getOrders', { [parameter]: candidate.value })
        const one = selectEach('/data/page/items', found?.json)
        if (!isAccepted(found) || one.length === 0) continue
        if (select(selectorOf(candidate.path), one[0])[0] !== candidate.value) continue
        this.#proposals.push(confirmedOrder(name, candidate))
        open.delete(name)
        break
      }
    if (isAccepted(listed) && selectEach('/data/page/items', listed?.json).length === 0)
      this.#notes.push('getOrders: there is no order yet, so its identifiers cannot be found')
  }

  /** Their paths are shown nowhere: only where they are given. */
  async funds(): Promise<void> {
    if (this.#given.getBalance !== undefined) {
      const { json } = (await this.#ask('getBalance')) ?? {}
      const amounts = placesOf(json).filter(
        ({ path, value }) =>
          /balance|amount|available/i.test(path.join('.')) && /^-?\d+(\.\d+)?$/.test(String(value)),
      )
      const [first] = amounts
      if (first && amounts.length === 1)
        this.#proposals.push(
          selectorProposal('getBalance', 'balance', selectorOf(first.path), {
            excerpt: excerptOf([first.value]),
            why: 'the only amount in the answer',
            certainty: 'likely',
          }),
        )
    }
    if (this.#given.getLedger === undefined) return
    const { json } = (await this.#ask('getLedger')) ?? {}
    const list = placesOf(json).find(
      ({ path, value }) => Array.isArray(value) && path[0] === 'data',
    )
    if (list && Array.isArray(list.value))
      this.#proposals.push(
        selectorProposal('getLedger', 'entries', selectorOf(list.path), {
          excerpt: `${list.value.length} entries`,
          why: 'the first list in the answer',
          certainty: 'likely',
        }),
      )
  }

  /** What a wrong key and a success get is the same in every answer, so that one tells. */
  async answers(): Promise<void> {
    const path = this.#paths.get('whoami')
    const invented = await this.#asker.ask('invented', 'listServices', {
      ...(this.#paths.get('listServices') === undefined
        ? {}
        : { path: this.#paths.get('listServices') ?? '' }),
      query: { limit: 1, search: randomUUID() },
    })
    const status = statusOf(invented)
    if (path !== undefined && (status === 401 || status === 403))
      this.#proposals.push({
        at: ['answers', 'unknownKeyHttpStatus'],
        value: status,
        excerpt: `HTTP ${status}`,
        why: 'a key that does not exist got it',
        certainty: 'sure',
      })
    const [code] = this.#successCodes
    if (this.#successCodes.size === 1 && typeof code === 'number')
      this.#proposals.push({
        at: ['answers', 'successStatusCode'],
        value: code,
        excerpt: `statusCode ${code}`,
        why: 'every success had it',
        certainty: 'sure',
      })
  }

  told(catalog: CatalogShape): Look {
    const { items } = catalog
    const serviceId = serviceIdMember(catalog, this.#nameMember)
    if (items.length > 0 && serviceId === undefined)
      this.#notes.push(
        'products: no member of the catalog is known to be the service id. If a path or a body needs it, add serviceId to the variables of each product',
      )
    for (const [operation, path] of Object.entries(this.#given) as [OperationName, string][])
      if (!this.#paths.has(operation)) this.#settle(operation, path)
    return {
      proposals: this.#proposals,
      answered: this.#answered,
      items,
      types: this.#types,
      members: { serviceId, name: this.#nameMember },
      notes: [...new Set(this.#notes)],
      ...(this.#windows && { windows: this.#windows }),
    }
  }
}
