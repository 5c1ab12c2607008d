import type { ConformingRow } from './conforming.ts'

/** How much of what the clean service decides another one decides. */
export type DecidedShare = {
  readonly name: string
  /** Checks that its poorest run decided. */
  readonly decided: number
  /** Checks that the clean service decides with every feature on. */
  readonly clean: number
}

/** Below it a variant leaves so much open that someone has to look why. */
const SHARE_MIN = 0.97

/**
 * Variants whose poorest run decides fewer checks than that share of what the clean service decides, the poorest first. Nothing where
 * no run of the clean service is among the rows.
 */
export function poorShares(
  rows: readonly Pick<ConformingRow, 'name' | 'decided'>[],
): readonly DecidedShare[] {
  const clean = Math.max(
    0,
    ...rows.filter(({ name }) => name === 'clean').map(({ decided }) => decided),
  )
  const others = rows.filter(({ name }) => name !== 'clean')
  return [...Map.groupBy(others, ({ name }) => name)]
    .map(([name, runs]) => ({ name, clean, decided: Math.min(...runs.map((row) => row.decided)) }))
    .filter(({ decided }) => decided < SHARE_MIN * clean)
    .toSorted((one, other) => one.decided - other.decided)
}
