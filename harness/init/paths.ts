/** Paths that the interface does not show, as --path gives them. Their variables have to be those of products that are written. */
import { usageError } from '../errors.ts'
import { didYouMean } from '../nearest.ts'
import { quoteSafely } from '../target-file/secrets.ts'
import { pathVariables } from '../target-file/template.ts'
import type { OperationName } from '../../contract/operations.ts'
import type { Proposal } from './places.ts'
import type { Candidate } from './products.ts'

/** What init writes under "variables" of a product. */
const PRODUCT_VARIABLES = ['serviceId', 'itemId'] as const

/** Throws E_USAGE for a variable that no product gets. */
export function requireKnownVariables(
  given: Readonly<Partial<Record<OperationName, string>>>,
): void {
  for (const [operation, path = ''] of Object.entries(given))
    for (const name of pathVariables(path)) {
      const names: readonly string[] = PRODUCT_VARIABLES
      if (names.includes(name)) continue
      throw usageError(
        `--path ${operation}=${path} names the variable ${quoteSafely(name)}, which no product has`,
        didYouMean(
          name,
          names,
          `Write {serviceId} and {itemId} where its values stand: init writes these variables. Rename them in the file afterwards.`,
        ),
      )
    }
}

export type Fitting = { readonly proposals: readonly Proposal[]; readonly notes: readonly string[] }

/** A catalog may show no identifier of services: a path that names it stays a gap, with the reason. */
export function fittingPaths(
  proposals: readonly Proposal[],
  products: Readonly<Partial<Record<string, Candidate>>>,
): Fitting {
  const described = Object.values(products).flatMap((each) =>
    each ? [each.product.variables] : [],
  )
  const unfilled = (proposal: Proposal): string | undefined =>
    proposal.at[2] === 'path' && described.length > 0
      ? pathVariables(String(proposal.value)).find((name) =>
          described.every((variables) => variables[name] === undefined),
        )
      : undefined
  return {
    proposals: proposals.filter((proposal) => unfilled(proposal) === undefined),
    notes: proposals.flatMap((proposal) => {
      const name = unfilled(proposal)
      return name === undefined
        ? []
        : [
            `${proposal.at.join('.')} = ${String(proposal.value)} is left out: the catalog does not show ${name}. Add ${name} to "variables" of each product, then this path.`,
          ]
    }),
  }
}
