/** Ends a check without a judgement of what is left to decide. */
export class Undecided extends Error {
  override readonly name = 'Undecided'
  readonly verdict: 'inconclusive' | 'untested' | 'inapplicable'

  constructor(verdict: Undecided['verdict'], reason: string) {
    super(reason)
    this.verdict = verdict
  }
}

/** The numbers do not decide: the reason says which. */
export function inconclusive(reason: string): never {
  throw new Undecided('inconclusive', reason)
}

/** Something that the check builds on is not there: the reason says what. */
export function untested(reason: string): never {
  throw new Undecided('untested', reason)
}

/** The target's configuration leaves nothing to decide: the reason says why. */
export function inapplicable(reason: string): never {
  throw new Undecided('inapplicable', reason)
}
