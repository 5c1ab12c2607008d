/** Selectors of the target file that find nothing in any answer of a run: the file is to be corrected, not the service. */
import { OPERATIONS, type OperationName } from '../../contract/operations.ts'
import type { Exchange } from '../client/exchange.ts'
import { select, selectEach } from '../target-file/select.ts'
import { SELECTORS, type SelectorFact } from '../target-file/selectors.ts'
import { endsEmpty, respelt, shownAt, trailOf } from '../target-file/trail.ts'
import type { SystematicCause } from '../judge/causes.ts'
import { isSuccess, pointerOf, targetCause, type Described } from './mistake.ts'
import { isObject } from '../objects.ts'

export function deadSelectors(described: Described): SystematicCause[] {
  const { target, history } = described
  const byOperation = Map.groupBy(
    history.filter((each) => isSuccess(each) && hasData(each.json)),
    ({ operation }) => operation,
  )
  return (Object.keys(OPERATIONS) as OperationName[]).flatMap((operation) => {
    const answers = byOperation.get(operation) ?? []
    const { selectors } = target.operations[operation]
    const isAllDead = Object.values(selectors).every((selector) => !isFoundIn(answers, selector))
    return Object.entries(selectors).flatMap(([name, selector]) => {
      const isOfFile = target.origins[`operations.${operation}.selectors.${name}`] === 'file'
      const fact = SELECTORS[operation][name]
      if (!isOfFile || !fact || selector === fact.byDefault) return []
      return causeOf(described, { operation, name, selector, fact, answers, isAllDead })
    })
  })
}

function isFoundIn(answers: readonly Exchange[], selector: string): boolean {
  return answers.some(({ json }) => select(selector, json).length > 0)
}

type Stated = {
  readonly operation: OperationName
  readonly name: string
  readonly selector: string
  readonly fact: SelectorFact
  readonly answers: readonly Exchange[]
  /** No selector of the operation finds anything. */
  readonly isAllDead: boolean
}

function causeOf({ target, readers }: Described, stated: Stated): SystematicCause[] {
  const { operation, name, selector, fact, answers } = stated
  if (isFoundIn(answers, selector)) return []
  const telling = answers.find(({ json }) => isMissing(stated, json))
  if (!telling) return []
  const trail = trailOf(selector, telling.json)
  const shown = trail ? `; ${shownAt(trail)}` : ''
  const meant = (trail && respelt(trail, telling.json)) ?? elsewhere(fact, telling.json)
  return [
    targetCause(target, {
      pointer: pointerOf('operations', operation, 'selectors', name),
      shows: `"${selector}" finds nothing in any of ${answers.length} answers${shown}`,
      fix:
        meant === undefined
          ? `write where ${fact.meaning} stands, or take the line out if no answer has it.`
          : `write "${meant}", where ${fact.meaning} stands.`,
      exchanges: answers,
      dependents: readers.get(`operations.${operation}.selectors.${name}`) ?? [],
    }),
  ]
}

/** Where the interface shows the value, and the answer has it. */
function elsewhere({ byDefault, named }: SelectorFact, json: unknown): string | undefined {
  return [byDefault, named].find((selector) => selector !== undefined && holds(selector, json))
}

/**
 * Whether the answer has the value elsewhere, or must have one. Where the interface shows the place and nothing stands there, the
 * service is to be blamed, not the file.
 */
function isMissing({ operation, selector, fact, isAllDead }: Stated, json: unknown): boolean {
  if (fact.byDefault !== undefined || fact.isRare) return elsewhere(fact, json) !== undefined
  if (operation === 'getOrders') return selectEach(LISTED, json).length > 0
  const trail = trailOf(selector, json)
  // That the service tells nothing of one bucket is its own fault; a misspelt name is the file's.
  if (operation === 'rateLimits' && !isAllDead)
    return trail !== undefined && respelt(trail, json) !== undefined
  return !trail || !endsEmpty(trail)
}

const LISTED = SELECTORS.getOrders['items']?.byDefault ?? ''

function holds(selector: string, json: unknown): boolean {
  return select(selector, json).some((value) => value !== null)
}

/** Of an answer without an envelope, or with other data than an object, every place is another: that is for the service to mend. */
function hasData(json: unknown): boolean {
  const { data } = (json ?? {}) as { data?: unknown }
  return isObject(data)
}
