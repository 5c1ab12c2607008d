/** What became of each requirement since an earlier run, in words. */
import type { Comparison, Verdict } from '../../../schemas/generated/run-record.ts'
import { listed, oneLine } from '../../text.ts'

export type RequirementChanges = NonNullable<Comparison['requirements']>
type Change = RequirementChanges['newlyBroken'][number]

/** Most urgent first. */
export const CHANGE_WORDS = {
  newlyBroken: 'newly broken',
  stillBroken: 'still broken',
  mended: 'mended',
  noLongerDecided: 'no longer decided',
  newlyDecided: 'newly decided',
  notSelectedNow: 'not selected in the later run',
  notSelectedBefore: 'not selected in the earlier run',
} as const satisfies Readonly<Record<keyof RequirementChanges, string>>

export type ChangeKind = keyof typeof CHANGE_WORDS

export const CHANGE_TONES: Readonly<Record<ChangeKind, Verdict>> = {
  newlyBroken: 'fail',
  stillBroken: 'fail',
  mended: 'pass',
  noLongerDecided: 'untested',
  newlyDecided: 'pass',
  notSelectedNow: 'untested',
  notSelectedBefore: 'untested',
}

export type ChangeGroup = {
  readonly kind: ChangeKind
  readonly words: string
  readonly changes: readonly Change[]
}

/** Groups in which something stands. */
export function changeGroups({ requirements }: Comparison): ChangeGroup[] {
  if (requirements === undefined) return []
  return (Object.keys(CHANGE_WORDS) as ChangeKind[])
    .map((kind) => ({ kind, words: CHANGE_WORDS[kind], changes: requirements[kind] ?? [] }))
    .filter(({ changes }) => changes.length > 0)
}

/** `newly broken: RATE-03 (was pass), RATE-05 (was untested)`. */
export function changeGroupLine({ kind, words, changes }: ChangeGroup, namesMax: number): string {
  if (kind === 'notSelectedNow' || kind === 'notSelectedBefore') {
    const broken = changes.filter(({ now }) => now === 'fail').map(({ requirement }) => requirement)
    const names = broken.map((each) => oneLine(each, 30))
    return `${words}: ${changes.length}${names.length > 0 ? `, of these broken: ${listed(names, namesMax)}` : ''}`
  }
  const names = changes.map(({ requirement, before, now }) =>
    kind === 'stillBroken'
      ? oneLine(requirement, 30)
      : `${oneLine(requirement, 30)} (${kind === 'noLongerDecided' ? `now ${now}` : `was ${before}`})`,
  )
  return `${words}: ${listed(names, namesMax)}`
}
