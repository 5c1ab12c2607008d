import { isThrottled } from '../../../contract/answers.ts'
import { listAt } from './exchange-table.ts'
import type { OpenModelEvidence } from './import.ts'
import { sharedStatements } from './judge.ts'
import type { OpenModelPlan } from './plan.ts'
import type { OpenModelContext } from './context.ts'
import type { Judgement } from '../shared/conclusion.ts'
import type { Rule } from '../../judge/rules/rule.ts'
import { RuleTally } from '../shared/rule-tally.ts'
import { shownAt } from './session-answers.ts'
import type { SessionTable } from './session-table.ts'
import { Statement, StatementTally } from '../shared/statements.ts'

/** Pages of the catalog that are read by many at once, and what every open-model scenario shows. */
export function judgeBrowse(
  evidence: OpenModelEvidence,
  plan: OpenModelPlan,
  context: OpenModelContext,
): Judgement {
  const { sessions } = evidence
  const ways = waysOf(sessions)
  const pages = ways.reduce((sum, way) => sum + pagesOf(sessions, way).length, 0)
  const statements = new StatementTally(sharedStatements(evidence, plan, context))
  statements.add(browseStatements(evidence, plan))
  return {
    statements,
    ...(pages === 0 && { undecided: 'no page of the catalog was read' }),
    passReason: `${ways.length} clients read ${pages} pages of the catalog; every answer fits its window and its page.`,
    measurements: { pages },
  }
}

/** What the pages of all browsing sessions say. */
export function browseStatements(
  { sessions }: Pick<OpenModelEvidence, 'sessions'>,
  { file }: Pick<OpenModelPlan, 'file'>,
): Statement[] {
  const failures = listingStatements(sessions)
  const ways = waysOf(sessions)
  const isRead = ways.some((way) => pagesOf(sessions, way).length > 0)
  // Without a place where products stand in the answer, nothing can be said of pages.
  if (!isRead || file.operations.services?.reads.items === undefined) return failures
  return [
    ...failures,
    ...pageStatements(sessions, ways, file.pageLimit),
    ...wayStatements(sessions, ways, file.pageLimit),
  ]
}

/** Places of the sessions that browse. */
function waysOf(sessions: SessionTable): Uint32Array {
  return sessions.places().filter((place) => sessions.kindOf(place) === 'browse')
}

/** Rows of the pages of one session. */
function pagesOf(sessions: SessionTable, place: number): Uint32Array {
  const { exchanges } = sessions
  return sessions
    .rowsOf(place)
    .filter((row) => exchanges.status[row] === 200 && exchanges.operation.at(row) === 'services')
}

type Page = {
  readonly limit: number
  readonly offset: number
  readonly items: number
  readonly total: string | undefined
}

const PAGE_RULES: readonly Rule<Page>[] = [
  {
    requirement: 'CAT-11',
    expected: 'total',
    breach: ({ total }) =>
      countOf(total) === undefined ? `total ${total ?? 'missing'}` : undefined,
  },
  {
    requirement: 'CAT-09',
    expected: 'as many products as limit and total leave',
    breach: ({ limit, offset, items, total }) => {
      const left = Math.max(0, (countOf(total) ?? offset + items) - offset)
      return items === Math.min(limit, left)
        ? undefined
        : `${items} products with limit=${limit} and offset=${offset} of ${total ?? 'unknown'}`
    },
  },
]

function pageStatements(sessions: SessionTable, ways: Uint32Array, limit: number): Statement[] {
  const { exchanges } = sessions
  const tally = new RuleTally(PAGE_RULES)
  for (const way of ways)
    // Sessions read page after page, so the place of one tells its offset.
    for (const [index, page] of pagesOf(sessions, way).entries()) {
      const items = exchanges.items.at(page) ?? 0
      const total = exchanges.total.at(page)
      tally.add({ limit, offset: index * limit, items, total }, () => shownAt(sessions, page))
    }
  return tally.statements('pages')
}

/** A listing that nothing is wrong with was answered by another error than 429. */
function listingStatements(sessions: SessionTable): Statement[] {
  const { exchanges } = sessions
  let [listings, failed, firstStatus] = [0, 0, 0]
  for (let row = 0; row < exchanges.length; row++) {
    const status = exchanges.status[row] as number
    if (status === 0 || exchanges.operation.at(row) !== 'services') continue
    listings++
    if (status < 400 || isThrottled({ status })) continue
    if (failed++ === 0) firstStatus = status
  }
  if (failed === 0) return []
  const observed = `${failed} of ${listings} listings were answered by an error, the first by HTTP ${firstStatus}`
  return [new Statement('CAT-01', 'fail', observed)]
}

type Way = {
  readonly session: number
  readonly total: number
  /** Products in all pages, each as often as it came. */
  readonly products: readonly string[]
}

/** Ways that came to the end of the catalog: each product once, as many as total says. */
function wayStatements(sessions: SessionTable, ways: Uint32Array, limit: number): Statement[] {
  let first: Way | undefined
  let firstCatalog = ''
  let bad: Way | undefined
  let [whole, wrong] = [0, 0]
  // A catalog that is edited while it is read shows other totals, and other products to later clients.
  let [isOneTotal, isOneCatalog] = [true, true]
  for (const place of ways) {
    const way = wholeWay(sessions, place, limit)
    if (!way) continue
    const products = new Set(way.products)
    const catalog = `${way.total} ${[...products].toSorted().join()}`
    if (whole++ === 0) {
      first = way
      firstCatalog = catalog
    }
    if (way.total !== first?.total) isOneTotal = false
    if (catalog !== firstCatalog) isOneCatalog = false
    if (way.products.length === way.total && products.size === way.total) continue
    wrong++
    bad ??= way
  }
  if (!first) return []
  if (!bad) {
    const observed = `${whole} ways through the pages showed ${first.total} products once each`
    return [new Statement('CAT-14', 'pass', observed)]
  }
  const different = new Set(bad.products).size
  const observed = `${wrong} of ${whole} ways through the pages did not show each product once; session ${bad.session} saw ${bad.products.length} products, ${different} different, of a total of ${bad.total}`
  // Which of them saw the catalog change cannot be told.
  const isSteady = isOneTotal && (isOneCatalog || wrong === whole)
  return [new Statement('CAT-14', isSteady ? 'fail' : 'inconclusive', observed)]
}

/** Undefined for a way that was cut short, or whose total changed on it. */
function wholeWay(sessions: SessionTable, place: number, limit: number): Way | undefined {
  const { exchanges } = sessions
  const pages = pagesOf(sessions, place)
  const totals = new Set(Array.from(pages, (page) => countOf(exchanges.total.at(page))))
  const [total] = totals
  if (totals.size !== 1 || total === undefined || pages.length * limit < total) return undefined
  const products = Array.from(pages, (page) => listAt(exchanges, 'ids', page)).flat()
  return { session: sessions.indexOf(place), total, products }
}

/** The interface names the field, not its type: a numeric text counts too. */
function countOf(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined
}
