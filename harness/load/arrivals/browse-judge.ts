import type { RequirementId } from '../../../contract/requirements/index.ts'
import type { ArrivalExchange, ArrivalsEvidence, SessionEvidence } from './arrivals-import.ts'
import { judgeEach, sharedStatements } from './arrivals-judge.ts'
import type { ArrivalsPlan } from './arrivals-plan.ts'
import type { ArrivalsContext } from './arrivals-ready.ts'
import type { ArrivalsJudgement } from './arrivals-result.ts'
import type { Statement } from '../statements.ts'

/** Pages of the catalog that are read by many at once, and what every open-model scenario shows. */
export function judgeBrowse(
  evidence: ArrivalsEvidence,
  plan: ArrivalsPlan,
  context: ArrivalsContext,
): ArrivalsJudgement {
  const ways = evidence.sessions.filter(({ kind }) => kind === 'browse')
  const pages = ways.flatMap(pagesOf)
  return {
    statements: [...sharedStatements(evidence, plan, context), ...browseStatements(evidence, plan)],
    ...(pages.length === 0 && { open: 'no page of the catalog was read' }),
    praise: `${ways.length} clients read ${pages.length} pages of the catalog; every answer fits its window and its page.`,
    measurements: { pages: pages.length },
  }
}

/** What the pages of all browsing sessions say. */
export function browseStatements(
  evidence: ArrivalsEvidence,
  { file }: Pick<ArrivalsPlan, 'file'>,
): Statement[] {
  const failures = listingStatements(evidence)
  const ways = evidence.sessions.filter(({ kind }) => kind === 'browse')
  const pages = ways.flatMap(pagesOf)
  // Without a place where products stand in the answer, nothing can be said of pages.
  if (pages.length === 0 || file.operations.services?.reads.items === undefined) return failures
  return [
    ...failures,
    ...pageStatements(ways, file.pageLimit),
    ...wayStatements(ways, file.pageLimit),
  ]
}

function pagesOf({ exchanges }: SessionEvidence): ArrivalExchange[] {
  return exchanges.filter(({ operation, status }) => operation === 'services' && status === 200)
}

/** total is there, and a page has as many products as its limit and total leave. */
function pageStatements(ways: readonly SessionEvidence[], limit: number): Statement[] {
  const pages = ways.flatMap(pagesOf)
  // Sessions read page after page, so the place of one tells its offset.
  const offsets = new Map(
    ways.flatMap((way) => pagesOf(way).map((page, index) => [page, index * limit] as const)),
  )
  return [
    judgeEach('CAT-11', pages, `all ${pages.length} pages had total`, ({ total }) =>
      countOf(total) === undefined ? `total ${total ?? 'missing'}` : undefined,
    ),
    judgeEach(
      'CAT-09',
      pages,
      `all ${pages.length} pages had the size that limit asks for`,
      (page) => {
        const total = countOf(page.total)
        const offset = offsets.get(page) ?? 0
        const { items = 0 } = page
        const expected = total === undefined ? items : Math.max(0, Math.min(limit, total - offset))
        return items === Math.min(limit, expected)
          ? undefined
          : `${items} products with limit=${limit} and offset=${offset} of ${total ?? 'unknown'}`
      },
    ),
  ]
}

/** A listing that nothing is wrong with was answered by another error than 429. */
function listingStatements({ sessions }: ArrivalsEvidence): Statement[] {
  const listings = sessions.flatMap(({ exchanges }) =>
    exchanges.filter(({ operation, status }) => operation === 'services' && status > 0),
  )
  const failed = listings.filter(({ status }) => status >= 400 && status !== 429)
  const [first] = failed
  if (first === undefined) return []
  const observed = `${failed.length} of ${listings.length} listings were answered by an error, the first by HTTP ${first.status}`
  return [say('CAT-01', 'fail', observed)]
}

type Way = {
  readonly session: number
  readonly total: number
  /** Products in all pages, each as often as it came. */
  readonly products: readonly string[]
}

/** Ways that came to the end of the catalog: each product once, as many as total says. */
function wayStatements(ways: readonly SessionEvidence[], limit: number): Statement[] {
  const whole = ways.flatMap((way) => wholeWay(way, limit) ?? [])
  const [first] = whole
  if (first === undefined) return []
  // A catalog that is edited while it is read shows other totals, and other products to later clients.
  const catalogs = new Set(
    whole.map(({ total, products }) => `${total} ${[...new Set(products)].toSorted().join()}`),
  )
  const wrong = whole.filter(
    ({ total, products }) => products.length !== total || new Set(products).size !== total,
  )
  const [bad] = wrong
  if (bad === undefined)
    return [
      say(
        'CAT-14',
        'pass',
        `${whole.length} ways through the pages showed ${first.total} products once each`,
      ),
    ]
  const different = new Set(bad.products).size
  const observed = `${wrong.length} of ${whole.length} ways through the pages did not show each product once; session ${bad.session} saw ${bad.products.length} products, ${different} different, of a total of ${bad.total}`
  // Which of them saw the catalog change cannot be told.
  const isSteady =
    new Set(whole.map(({ total }) => total)).size === 1 &&
    (catalogs.size === 1 || wrong.length === whole.length)
  return [say('CAT-14', isSteady ? 'fail' : 'inconclusive', observed)]
}

/** Undefined for a way that was cut short, or whose total changed on it. */
function wholeWay(session: SessionEvidence, limit: number): Way | undefined {
  const pages = pagesOf(session)
  const totals = new Set(pages.map(({ total }) => countOf(total)))
  const [total] = totals
  if (totals.size !== 1 || total === undefined || pages.length * limit < total) return undefined
  return { session: session.index, total, products: pages.flatMap(({ ids }) => ids) }
}

/** The interface names the field, not its type: a numeric text counts too. */
function countOf(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined
}

function say(
  requirement: RequirementId,
  verdict: Statement['verdict'],
  observed: string,
): Statement {
  return { requirement, verdict, observed }
}
