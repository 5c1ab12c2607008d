import { isPurchase } from '../../contract/operations.ts'
import { CodeFinder, isTraceable } from '../../harness/judge/codes.ts'
import type { Exchange, InvariantContext, RequirementId } from '../engine/kit.ts'
import { inapplicable, invariant, queryOf, showRequest, untested } from '../engine/kit.ts'
import { isReveal, onceFor } from '../steps/orders-seen.ts'
import { itemsOf } from '../steps/orders.ts'

/** Exchanges that one finding names. */
const NAMED_MAX = 5

type Masked = 'unhide omitted' | 'unhide=false'

export const noCodeLeaks = invariant({
  id: 'reading.no-code-leaks',
  title: 'a code is nowhere in clear but where it was asked for',
  requirements: ['GET-12'],
  judge: (context) => {
    judgeMasking(context, 'GET-12', 'unhide omitted', (exchange) => !hides(exchange))
    observePurchases(context)
  },
})

export const noCodeLeaksWithUnhideFalse = invariant({
  id: 'reading.no-code-leaks-unhide-false',
  title: 'with unhide=false no code is in clear',
  requirements: ['GET-13'],
  judge: (context) => judgeMasking(context, 'GET-13', 'unhide=false', hides),
})

/** Scans answers for the codes of the run. It counts only if orders whose codes are known were read masked. */
function judgeMasking(
  context: InvariantContext,
  requirement: RequirementId,
  masked: Masked,
  concerns: (exchange: Exchange) => boolean,
): void {
  const finder = finderOf(context)
  const scanned = context.history.filter(
    (exchange) =>
      exchange.response !== undefined &&
      !isPurchase(exchange.operation) &&
      !isReveal(exchange) &&
      concerns(exchange),
  )
  const reads = maskedReadsOfRevealed(context, finder, scanned)
  if (reads.length === 0) untested(`no order whose codes are known was read with ${masked}`)
  const leaks = scanned.filter((exchange) => finder.isIn(textOf(exchange)))
  const [first] = leaks
  context.expect(requirement).that(`codes in ${scanned.length} answers (${masked})`, {
    holds: leaks.length === 0,
    expected: `no code of the run: ${reads.length} answers show the order masked`,
    observed: first
      ? `${leaks.length} answers have a code in clear, first ${showRequest(first)}`
      : 'none',
    exchanges: leaks.length === 0 ? reads.slice(0, NAMED_MAX) : leaks.slice(0, NAMED_MAX),
  })
}

function finderOf({ codes, history, target }: InvariantContext): CodeFinder {
  const lacks = (['shop', 'unhide'] as const).filter((each) => !target.capabilities.includes(each))
  if (codes.length === 0 && lacks.length > 0)
    inapplicable(
      `vouchers have codes, and unhide shows them: the target does not declare ${lacks.join(', ')}`,
    )
  if (codes.length === 0) untested('no code of the run is known: nothing was revealed in clear')
  if (!codes.some(isTraceable))
    untested('the codes are too short to be told from other text in an answer')
  return finderIn(history, codes)
}

const finderIn = onceFor((_history, codes: readonly string[]) => new CodeFinder(codes))

/** Masked reads that found something, by a filter by which a code was revealed. */
function maskedReadsOfRevealed(
  { history }: InvariantContext,
  finder: CodeFinder,
  scanned: readonly Exchange[],
): Exchange[] {
  const revealed = new Set(
    history
      .filter((exchange) => isReveal(exchange) && finder.isIn(textOf(exchange)))
      .flatMap(filtersOf),
  )
  return scanned.filter(
    (exchange) =>
      exchange.operation === 'getOrders' &&
      (itemsOf(exchange)?.length ?? 0) > 0 &&
      filtersOf(exchange).some((filter) => revealed.has(filter)),
  )
}

function observePurchases(context: InvariantContext): void {
  const finder = finderOf(context)
  const answers = context.history.filter(
    ({ operation, response }) => response !== undefined && isPurchase(operation),
  )
  const withCodes = answers.filter((exchange) => finder.isIn(textOf(exchange)))
  context.observe(
    'OPEN-48',
    withCodes.length > 0
      ? `${withCodes.length} answers to purchases have codes in clear that a reveal showed`
      : `none of ${answers.length} answers to purchases has a code that a reveal showed`,
    withCodes.slice(0, NAMED_MAX),
  )
}

function hides(exchange: Exchange): boolean {
  return queryOf(exchange).get('unhide') === 'false'
}

function filtersOf(exchange: Exchange): string[] {
  const query = queryOf(exchange)
  return [query.get('orderId'), query.get('referenceId')].filter((value) => value !== null)
}

/** Everything that came back, headers included. */
function textOf({ response }: Exchange): string {
  if (!response) return ''
  return [...response.headers.map(([, value]) => value), response.body].join('\n')
}
