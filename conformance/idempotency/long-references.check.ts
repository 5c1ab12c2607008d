import { plural } from '../../harness/text.ts'
import type { CheckContext, Exchange } from '../engine/kit.ts'
import { check, inapplicable, isAccepted, show, showAnswer } from '../engine/kit.ts'
import { isRefusedForBody } from '../steps/order-refusal.ts'
import { buy, BUYS_VOUCHERS, orderIdOf } from '../steps/orders.ts'
import { findUnder, needReferenceFilter, replay } from '../steps/idempotency.ts'

/**
 * How long a reference may be is not shown. These are tried, the longest first. They are longer than the columns that usually hold one:
 * what is cut off there makes two references one.
 */
const LENGTHS = [255, 129, 101, 65, 51, 41, 37]

type Sent = { readonly referenceId: string; readonly bought: Exchange }

async function buyUnder(context: CheckContext, referenceId: string): Promise<Sent> {
  return { referenceId, bought: await replay(context, { referenceId }) }
}

/** Two references that differ in their last letter, as long as the target takes them; the usual ones where it takes none longer. */
async function needPair(context: CheckContext): Promise<readonly [Sent, string]> {
  const stem = context.reference()
  for (const length of LENGTHS) {
    const long = stem.padEnd(length - 1, '0')
    const first = await buyUnder(context, `${long}1`)
    if (!isRefusedForBody(first.bought)) return [first, `${long}2`]
  }
  return [await buyUnder(context, stem), context.reference()]
}

export const longReferences = check({
  id: 'idempotency.long-references',
  title: 'long references that differ in their last letter stand for two orders',
  requirements: ['ORD-01'],
  needs: { ...BUYS_VOUCHERS, roles: ['full'], purchases: 3 },
  run: async (context) => {
    await buy(context)
    await needReferenceFilter(context)
    const [first, otherReference] = await needPair(context)
    const second = await buyUnder(context, otherReference)
    const sent = [first, second]
    const ids = sent.map(({ bought }) => orderIdOf(bought))
    const found = [
      await findUnder(context, first.referenceId),
      await findUnder(context, second.referenceId),
    ]
    context.expect('ORD-01').that('each reference has an order of its own, which it finds', {
      holds:
        sent.every(({ bought }) => isAccepted(bought)) &&
        found.every(({ count }) => count === 1) &&
        ids[0] !== ids[1],
      expected: `one order each under ${first.referenceId} and ${otherReference}`,
      observed: `orders ${show(ids)}; found ${show(found.map(({ count }) => count))}; second purchase ${showAnswer(second.bought)}`,
      exchanges: [...sent.map(({ bought }) => bought), ...found.map(({ exchange }) => exchange)],
    })
  },
})

type Twins = {
  readonly what: string
  readonly ends: readonly [string, string]
}

/** Ends of two references that a service which normalizes them takes for one, by what it takes for nothing. */
const TWINS: readonly Twins[] = [
  { what: 'the case of a letter', ends: ['-a', '-A'] },
  { what: 'a hyphen', ends: ['-b1', '-b-1'] },
  { what: 'a letter beyond ASCII', ends: ['-ж', '-щ'] },
]

export const referencesInCase = check({
  id: 'idempotency.references-in-case',
  title:
    'references that differ in the case of a letter, in a hyphen or beyond ASCII stand for two orders',
  requirements: ['ORD-01', 'GET-04'],
  needs: { ...BUYS_VOUCHERS, roles: ['full'], purchases: 1 + 2 * TWINS.length },
  run: async (context) => {
    await buy(context)
    await needReferenceFilter(context)
    const judged: boolean[] = []
    for (const twins of TWINS) judged.push(await standApart(context, twins))
    if (!judged.includes(true))
      inapplicable('no reference is taken that differs from another in these ways')
  },
})

/** Whether both references are taken. */
async function standApart(
  context: CheckContext,
  { what, ends: [end, otherEnd] }: Twins,
): Promise<boolean> {
  const stem = context.reference()
  const first = await buyUnder(context, `${stem}${end}`)
  if (!isAccepted(first.bought)) return false
  const other = `${stem}${otherEnd}`
  const before = await findUnder(context, other)
  const second = await buyUnder(context, other)
  // Which letters a reference may have is not shown.
  if (isRefusedForBody(second.bought)) return false
  context.expect('GET-04').that(`a reference that differs in ${what} does not find the order`, {
    holds: before.count === 0,
    expected: `nothing under ${other} after an order under ${first.referenceId}`,
    observed: plural(before.count, 'order'),
    exchanges: [first.bought, before.exchange],
  })
  const ids = [first, second].map(({ bought }) => orderIdOf(bought))
  context.expect('ORD-01').that('each reference has an order of its own', {
    holds: isAccepted(second.bought) && ids[0] !== ids[1],
    expected: `one order each under ${first.referenceId} and ${other}`,
    observed: `orders ${show(ids)}; second purchase ${showAnswer(second.bought)}`,
    exchanges: [first.bought, second.bought],
  })
  return true
}
