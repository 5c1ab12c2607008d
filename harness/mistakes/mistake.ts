/** What every cause in the target file has in common: its place, and the checks that build on it. */
import type { ProductAbility } from '../../contract/capabilities.ts'
import type { Exchange } from '../client/exchange.ts'
import type { Product, Target } from '../target-file/target.ts'
import type { SystematicCause } from '../judge/causes.ts'
import { isAccepted } from '../../contract/answers.ts'

/** What a target's description is held against. */
export type Described = {
  readonly target: Target
  readonly history: readonly Exchange[]
  /** Checks by what they read of the target file, as a dotted name. */
  readonly readers: ReadonlyMap<string, ReadonlySet<string>>
  /** False where keys are made for each check: they fit their roles. */
  readonly hasKeysOfFile: boolean
}

type Mistake = {
  /** JSON Pointer of what is to be corrected. */
  readonly pointer: string
  /** What the answers show, as the end of a sentence. */
  readonly shows: string
  /** What to write there. */
  readonly fix: string
  readonly exchanges: readonly Exchange[]
  readonly dependents: Iterable<string>
}

export function targetCause(target: Target, mistake: Mistake): SystematicCause {
  const { pointer, shows, fix, exchanges, dependents } = mistake
  const operations = new Set(exchanges.map(({ operation }) => operation))
  return {
    kind: 'target-file',
    operations: [...operations].filter((operation) => operation !== 'raw'),
    text: `target file: ${dotted(pointer)}${lineOf(target, pointer)}: ${shows}`,
    nextStep: `Correct ${placeOf(target, pointer)}: ${fix}`,
    place: placeOf(target, pointer),
    requests: exchanges.length,
    exchanges: new Set(exchanges.map(({ id }) => id)),
    dependents: new Set(dependents),
  }
}

export function pointerOf(...names: readonly string[]): string {
  return names.map((name) => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}

function dotted(pointer: string): string {
  const names = pointer.slice(1).split('/')
  return names.map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~')).join('.')
}

function lineOf({ places }: Target, pointer: string): string {
  const line = places?.lines[pointer]
  return line === undefined ? '' : `, line ${line}`
}

function placeOf({ places }: Target, pointer: string): string {
  const line = places?.lines[pointer]
  return line === undefined ? dotted(pointer) : `line ${line} of ${places?.file ?? ''}`
}

export function statusOf({ response }: Exchange): number {
  return response?.status ?? 0
}

export function isSuccess(exchange: Exchange): boolean {
  return isAccepted({ status: statusOf(exchange) })
}

/** A value of the target file or of an answer, bounded, as a message shows it. */
export function quoted(value: unknown): string {
  const text = String(value)
  return `"${text.length > SHOWN_CHARACTERS_MAX ? `${text.slice(0, SHOWN_CHARACTERS_MAX)}…` : text}"`
}

const SHOWN_CHARACTERS_MAX = 80

export function productsOf({ products }: Target): [ProductAbility, Product][] {
  return Object.entries(products) as [ProductAbility, Product][]
}

export type FieldError = { readonly field: string; readonly code: unknown }

/** What a refusal says of fields, whatever the service put there. */
export function fieldErrorsOf(json: unknown): FieldError[] {
  const { errors } = (json ?? {}) as { errors?: unknown }
  if (!Array.isArray(errors)) return []
  return errors.flatMap((error: unknown) => {
    const { field, code } = (error ?? {}) as { field?: unknown; code?: unknown }
    return typeof field === 'string' ? [{ field, code }] : []
  })
}

/** `amount` of `orders[0].amount` or `/orders/0/amount`. */
export function lastNameOf(field: string): string {
  return field.match(/[A-Za-z_]\w*/g)?.at(-1) ?? field
}
