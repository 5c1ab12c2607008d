import type { Exchange } from '../../harness/client/exchange.ts'
import type { Want } from '../../schemas/generated/run-record.ts'

/** Ends a check without a judgement of what is left to decide. */
export class Undecided extends Error {
  override readonly name = 'Undecided'
  readonly verdict: 'inconclusive' | 'untested' | 'inapplicable'
  /** What kept the check from going on. */
  readonly exchanges: readonly Exchange[]
  /** What would let it go on. */
  readonly wants: readonly Want[]
  /** A busy machine may be why: another try may decide. */
  readonly isMaybeBusy: boolean

  constructor(
    verdict: Undecided['verdict'],
    reason: string,
    exchanges: readonly Exchange[] = [],
    wants: readonly Want[] = [],
    isMaybeBusy = verdict === 'inconclusive',
  ) {
    super(reason)
    this.verdict = verdict
    this.exchanges = exchanges
    this.wants = wants
    this.isMaybeBusy = isMaybeBusy
  }
}

/** The numbers do not decide: the reason says which. */
export function inconclusive(reason: string): never {
  throw new Undecided('inconclusive', reason)
}

/** Something that the check builds on is not there: the reason says what, the exchanges show it. */
export function untested(reason: string, exchanges: readonly Exchange[] = []): never {
  throw new Undecided('untested', reason, exchanges)
}

/** Something that whoever wrote the target file can add is not there. */
export function wanting(want: Want, reason: string): never {
  throw new Undecided('untested', reason, [], [want])
}

/** The target's configuration, or what it rightly does without, leaves nothing to decide: the reason says why. */
export function inapplicable(reason: string): never {
  throw new Undecided('inapplicable', reason)
}

/** The same, unless a busy machine is why: another try, with no check beside it, may decide. */
export function inapplicableUnlessBusy(reason: string): never {
  throw new Undecided('inapplicable', reason, [], [], true)
}
