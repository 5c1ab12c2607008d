/** What is asked of whoever sits at the terminal; without one, or with --yes, the first proposal is taken. */
import { usageError } from '../errors.ts'
import { didYouMean } from '../nearest.ts'
import type { Target } from '../target-file/target.ts'
import type { Look } from './look.ts'
import type { Proposal } from './places.ts'
import {
  candidatesFor,
  VISIBLE_ABILITIES,
  type Candidate,
  type VisibleAbility,
} from './products.ts'

export type Ask = (question: string) => Promise<string>
/** By ability the item that was named; empty: none. */
export type NamedProducts = Readonly<Partial<Record<VisibleAbility, string>>>

export async function chooseProducts(
  look: Look,
  named: NamedProducts,
  ask: Ask | undefined,
): Promise<Partial<Record<VisibleAbility, Candidate>>> {
  const chosen: Partial<Record<VisibleAbility, Candidate>> = {}
  for (const ability of VISIBLE_ABILITIES) {
    const all = candidatesFor(ability, look.items, look.types, look.members)
    const candidate = await chooseProduct({
      ability,
      candidates: all,
      look,
      named: named[ability],
      ask,
    })
    if (candidate) chosen[ability] = candidate
  }
  return chosen
}

type Choice = {
  readonly ability: VisibleAbility
  readonly candidates: readonly Candidate[]
  readonly look: Look
  readonly named: string | undefined
  readonly ask: Ask | undefined
}

async function chooseProduct({
  ability,
  candidates,
  look: { items, members },
  named,
  ask,
}: Choice): Promise<Candidate | undefined> {
  if (named === '') return undefined
  if (named !== undefined) {
    const listed = items.filter(({ item }) => item.id === named)
    const anyType = {
      voucher: new Set([named]),
      direct_topup: new Set([named]),
      esim: new Set([named]),
    }
    const [found] = candidatesFor(ability, listed, anyType, members)
    if (found) return found
    const known = items.map(({ item }) => item.id)
    throw usageError(
      `--product ${ability}=${named}: ${listed.length > 0 ? 'that item cannot be one' : 'the catalog has no such item'}`,
      didYouMean(
        named,
        known,
        `Items that can be: ${candidates.map(({ label }) => label).join('; ') || 'none'}.`,
      ),
    )
  }
  if (!ask || candidates.length < 2) return candidates[0]
  const lines = candidates.map(({ label }, index) => `  ${index + 1}  ${label}`).join('\n')
  const answer = await ask(
    `Which product is bought as "${ability}"? (1, or 0 for none)\n${lines}\n> `,
  )
  if (answer.trim() === '') return candidates[0]
  return candidates[Number(answer) - 1]
}

/** What only a name or a form speaks for is asked for. */
export async function confirm(
  proposals: readonly Proposal[],
  ask: Ask | undefined,
): Promise<Proposal[]> {
  const taken: Proposal[] = []
  for (const proposal of proposals) {
    const { at, value, excerpt, why, certainty } = proposal
    if (!ask || certainty === 'sure') taken.push(proposal)
    else {
      const question = `Is ${at.join('.')} = ${String(value)} right? It finds ${excerpt} (${why}). (yes/no) `
      if (!/^n/i.test((await ask(question)).trim())) taken.push(proposal)
    }
  }
  return taken
}

export async function chooseEnvironment(
  { origins, environment }: Target,
  ask: Ask | undefined,
): Promise<Target['environment']> {
  if (origins['environment'] !== 'default' || !ask) return environment
  const answer = await ask(
    'Is it a sandbox, which may be bought from and loaded without further permission? (yes/no) ',
  )
  return /^y/i.test(answer.trim()) ? 'sandbox' : 'production'
}
