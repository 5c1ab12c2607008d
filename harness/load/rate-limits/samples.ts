/** The exchanges of a quota as columns: about 30 bytes for each, so that a million of them can be judged in little memory. */
import { PHASES } from '../../../load/protocol/evidence.ts'
import type { Phase } from '../../../load/protocol/evidence.ts'
import { OUTCOME } from '../../judge/limiter.ts'
import type { QuotaColumns } from '../../judge/limiter.ts'
import { orderBy } from '../../rows.ts'
import { Column, TextTable } from './evidence-table.ts'
import { windowOutcomeOf } from '../../answers.ts'
import { parseRetryAfterSeconds } from '../../retry-after.ts'

/** One exchange as k6 saw it. Times are milliseconds since k6 started its test. */
export type LoadSample = {
  readonly key: number
  readonly phase: Phase
  readonly sentMs: number
  readonly receivedMs: number
  /** 0: no answer. */
  readonly status: number
  /** statusCode of a 429, or k6's error code where there was no answer. */
  readonly code?: number
  /** The header of a 429 as it came. */
  readonly retryAfter?: string
  readonly newConnection: boolean
}

/** Stands in the column of codes for none. */
const NO_CODE = -0x80000000

/** Limits of the columns; what does not fit is no evidence. */
export const SAMPLE_MAX = { key: 0xffff, status: 999, code: 0x7fffffff } as const

export type Samples = {
  readonly length: number
  readonly sentMs: Float64Array
  readonly receivedMs: Float64Array
  readonly keys: Uint16Array
  /** Indexes of PHASES. */
  readonly phases: Uint8Array
  readonly statuses: Uint16Array
  /** NO_CODE for none. */
  readonly codes: Int32Array
  /** Indexes of `texts`. */
  readonly retryAfters: Uint32Array
  /** 1 for a new one. */
  readonly newConnections: Uint8Array
  readonly texts: readonly (string | undefined)[]
}

/** Collects the samples of one stream. All streams of a file share a table of texts. */
export class SampleColumns {
  readonly #texts: TextTable
  readonly #sentMs = new Column('float64')
  readonly #receivedMs = new Column('float64')
  readonly #keys = new Column('uint16')
  readonly #phases = new Column('uint8')
  readonly #statuses = new Column('uint16')
  readonly #codes = new Column('int32')
  readonly #retryAfters = new Column('uint32')
  readonly #newConnections = new Column('uint8')

  constructor(texts: TextTable) {
    this.#texts = texts
  }

  get length(): number {
    return this.#sentMs.length
  }

  push(sample: Omit<LoadSample, 'phase'> & { readonly phase: number }): void {
    this.#sentMs.push(sample.sentMs)
    this.#receivedMs.push(sample.receivedMs)
    this.#keys.push(sample.key)
    this.#phases.push(sample.phase)
    this.#statuses.push(sample.status)
    this.#codes.push(sample.code ?? NO_CODE)
    this.#retryAfters.push(this.#texts.indexOf(sample.retryAfter))
    this.#newConnections.push(sample.newConnection ? 1 : 0)
  }

  samples(): Samples {
    return {
      length: this.length,
      sentMs: this.#sentMs.values(),
      receivedMs: this.#receivedMs.values(),
      keys: this.#keys.values(),
      phases: this.#phases.values(),
      statuses: this.#statuses.values(),
      codes: this.#codes.values(),
      retryAfters: this.#retryAfters.values(),
      newConnections: this.#newConnections.values(),
      texts: this.#texts.texts,
    }
  }
}

export function samplesFrom(list: Iterable<LoadSample>): Samples {
  const columns = new SampleColumns(new TextTable())
  for (const sample of list) columns.push({ ...sample, phase: PHASES.indexOf(sample.phase) })
  return columns.samples()
}

/** One row as an object; undefined beyond the end. */
export function sampleAt(samples: Samples, row: number): LoadSample | undefined {
  if (!(row >= 0 && row < samples.length)) return undefined
  const code = samples.codes[row]
  const retryAfter = retryAfterAt(samples, row)
  return {
    key: samples.keys[row] as number,
    phase: PHASES[samples.phases[row] as number] as Phase,
    sentMs: samples.sentMs[row] as number,
    receivedMs: samples.receivedMs[row] as number,
    status: samples.statuses[row] as number,
    ...(code !== NO_CODE && { code: code as number }),
    ...(retryAfter !== undefined && { retryAfter }),
    newConnection: samples.newConnections[row] === 1,
  }
}

export function codeAt(samples: Samples, row: number): number | undefined {
  const code = samples.codes[row]
  return code === NO_CODE ? undefined : code
}

export function retryAfterAt(samples: Samples, row: number): string | undefined {
  return samples.texts[samples.retryAfters[row] as number]
}

/** The samples of several streams of one file in the order of sending; those of one stream that are so already are not copied. */
export function inSentOrder(parts: readonly Samples[]): Samples {
  const [first] = parts
  const all = parts.length === 1 && first !== undefined ? first : concatenated(parts)
  const order = orderBy(all.sentMs)
  return order === undefined ? all : rowsOf(all, order)
}

/** Some of the rows, in the order given. */
export function rowsOf(samples: Samples, rows: Uint32Array): Samples {
  return build(rows.length, samples.texts, (of) => {
    const values = of(samples)
    const picked = blankLike(values, rows.length)
    for (let to = 0; to < rows.length; to++) picked[to] = values[rows[to] as number] as number
    return picked
  })
}

/** As the limiter oracle wants them. */
export function quotaColumns(samples: Samples): QuotaColumns {
  const { length, sentMs, receivedMs, statuses, retryAfters } = samples
  const promised = samples.texts.map((text) => parseRetryAfterSeconds(text) ?? Number.NaN)
  const outcomes = new Uint8Array(length)
  const promisedSeconds = new Float64Array(length)
  for (let row = 0; row < length; row++) {
    outcomes[row] = OUTCOME[windowOutcomeOf({ status: statuses[row] as number })]
    promisedSeconds[row] = promised[retryAfters[row] as number] as number
  }
  return { sentMs, receivedMs, outcomes, promisedSeconds }
}

function concatenated(parts: readonly Samples[]): Samples {
  const texts = parts[0]?.texts ?? []
  if (parts.some((part) => part.texts !== texts))
    throw new RangeError('Samples of two files have no common texts.')
  const length = parts.reduce((sum, part) => sum + part.length, 0)
  return build(length, texts, (of) => {
    const all = blankLike(of(parts[0] ?? NONE), length)
    let at = 0
    for (const part of parts) {
      all.set(of(part), at)
      at += part.length
    }
    return all
  })
}

type Values = Float64Array | Int32Array | Uint32Array | Uint16Array | Uint8Array

function build(
  length: number,
  texts: Samples['texts'],
  column: <T extends Values>(of: (samples: Samples) => T) => T,
): Samples {
  return {
    length,
    sentMs: column(({ sentMs }) => sentMs),
    receivedMs: column(({ receivedMs }) => receivedMs),
    keys: column(({ keys }) => keys),
    phases: column(({ phases }) => phases),
    statuses: column(({ statuses }) => statuses),
    codes: column(({ codes }) => codes),
    retryAfters: column(({ retryAfters }) => retryAfters),
    newConnections: column(({ newConnections }) => newConnections),
    texts,
  }
}

function blankLike<T extends Values>(values: T, length: number): T {
  return new (values.constructor as new (length: number) => T)(length)
}

const NONE = samplesFrom([])
