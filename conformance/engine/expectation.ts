import { statusCodeOf } from './answer.ts'
import type { RequirementId } from '../../contract/requirements/index.ts'
import { STATUS_CODE } from '../../contract/wire.ts'
import type { Exchange } from '../../harness/client/exchange.ts'
import { headerValues } from '../../harness/client/headers.ts'
import type { Finding, Verdict } from '../../schemas/generated/run-record.ts'
import { clip, show, showAnswer, showRequest } from './describe.ts'

/** Exchanges that one finding keeps as evidence. */
const EVIDENCE_MAX = 8

export type Claim = {
  readonly holds: boolean
  readonly expected: string
  /** Default: the answer of the offending exchange. */
  readonly observed?: string
  readonly exchanges: readonly Exchange[]
  /** The one that breaks it, where that is not the last of them: what comes before is mostly a control. */
  readonly offending?: Exchange
  /** Everything it is about. Told by an invariant, whose `exchanges` only name some of it. */
  readonly about?: readonly Exchange[]
}

/** Hears of a finding, of the exchanges that it names and of the claim that it judges. */
export type Recorder = (
  finding: Finding,
  evidence: readonly Exchange[],
  claim: Pick<Claim, 'exchanges' | 'about'>,
) => void

/** Holds observations against one requirement; each call records one finding and tells whether it holds. */
export class Expectation {
  readonly #requirement: RequirementId
  readonly #violation: Verdict
  readonly #record: Recorder

  constructor(requirement: RequirementId, violation: Verdict, record: Recorder) {
    this.#requirement = requirement
    this.#violation = violation
    this.#record = record
  }

  that(statement: string, claim: Claim): boolean {
    this.#add(statement, claim.holds ? 'pass' : this.#violation, claim)
    return claim.holds
  }

  status(exchange: Exchange, ...allowed: readonly number[]): boolean {
    return this.that(`${showRequest(exchange)} is answered ${allowed.join(' or ')}`, {
      holds: allowed.includes(exchange.response?.status ?? 0),
      expected: `HTTP ${allowed.join(' or ')}`,
      exchanges: [exchange],
    })
  }

  /** `statusCode` of the envelope. */
  statusCode(exchange: Exchange, code: number): boolean {
    const got = statusCodeOf(exchange)
    return this.equal(`statusCode of ${showRequest(exchange)}`, got, code, [exchange])
  }

  equal(statement: string, got: unknown, wanted: unknown, exchanges: readonly Exchange[]): boolean {
    return this.that(statement, {
      holds: Object.is(got, wanted) || JSON.stringify(got) === JSON.stringify(wanted),
      expected: show(wanted),
      observed: show(got),
      exchanges,
    })
  }

  /** Exactly one header of that name, of whole seconds (RFC 9110, 10.2.3), within bounds. */
  retryAfter(exchange: Exchange, { min = 1, max = Infinity } = {}): boolean {
    const values = headerValues(exchange, 'retry-after')
    const [value = ''] = values
    const seconds = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN
    return this.that(`${showRequest(exchange)} carries Retry-After`, {
      holds: values.length === 1 && seconds >= min && seconds <= max,
      expected: `one Retry-After header of whole seconds, ${min}${max === Infinity ? ' or more' : ` to ${max}`}`,
      observed:
        values.length === 0 ? 'no Retry-After header' : `Retry-After: ${values.join(' and ')}`,
      exchanges: [exchange],
    })
  }

  /** The answer of a spent window: 429, LIMIT_REACHED, Retry-After. */
  limitReached(exchange: Exchange): boolean {
    const code = statusCodeOf(exchange)
    return this.that(`${showRequest(exchange)} is refused by its window`, {
      holds: exchange.response?.status === 429 && code === STATUS_CODE.limitReached,
      expected: `HTTP 429 with statusCode ${STATUS_CODE.limitReached}`,
      exchanges: [exchange],
    })
  }

  #add(statement: string, verdict: Verdict, claim: Omit<Claim, 'holds'>): void {
    const { offending = claim.exchanges.at(-1) } = claim
    const { observed = offending === undefined ? 'nothing' : showAnswer(offending) } = claim
    const evidence = evidenceOf(claim.exchanges, offending)
    this.#record(
      {
        requirement: this.#requirement,
        verdict,
        statement: clip(statement),
        expected: clip(claim.expected),
        observed: clip(observed, 600),
        exchanges: evidence.map((exchange) => exchange.id),
        ...(offending === undefined ? {} : { offending: offending.id }),
      },
      evidence,
      claim,
    )
  }
}

/** As many as are kept, the offending one in any case. */
function evidenceOf(
  exchanges: readonly Exchange[],
  offending: Exchange | undefined,
): readonly Exchange[] {
  const kept = exchanges.slice(0, EVIDENCE_MAX)
  if (offending === undefined || kept.includes(offending)) return kept
  return [...kept.slice(0, EVIDENCE_MAX - 1), offending]
}
