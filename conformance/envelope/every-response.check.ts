import type { Exchange, InvariantContext, RequirementId } from '../engine/kit.ts'
import {
  flawOf,
  hasNamedCode,
  inapplicable,
  invariant,
  isAccepted,
  isObject,
  showAnswer,
  statusCodeOf,
  untested,
} from '../engine/kit.ts'
import type { SchemaViolation } from '../../harness/schema/explain.ts'
import { answersOfOperations } from '../steps/described-operation.ts'
import { observeHygiene } from '../steps/hygiene.ts'
import { observeHistory } from '../steps/observed-history.ts'
import { firstAnswers } from '../steps/orders-seen.ts'
import { itemsOf } from '../steps/orders.ts'
import { envelopeStatusOf } from '../steps/states.ts'
import { violationsOf } from '../steps/violations.ts'

/** Which requirement each place of the envelope belongs to, longest pointer first. */
const PLACES: readonly (readonly [pointer: RegExp, requirement: RequirementId])[] = [
  [/^\/errors\/\d+\/code/, 'FIELD-01'],
  [/^\/errors\/\d+\/field/, 'FIELD-02'],
  [/^\/errors\/\d+\/message/, 'FIELD-03'],
  [/^\/errors/, 'ENV-05'],
  [/^\/data/, 'ENV-03'],
  [/^\/errorCode/, 'ENV-04'],
  [/^\/statusCode/, 'ENV-07'],
  [/^\/statusMessage/, 'ENV-08'],
  [/^\/status/, 'ENV-06'],
  [/^\/traceId/, 'ENV-09'],
]

const ENVELOPE_REQUIREMENTS = [
  'ENV-03',
  'ENV-04',
  'ENV-05',
  'ENV-06',
  'ENV-07',
  'ENV-08',
  'ENV-09',
] as const satisfies readonly RequirementId[]

/** An object with none of them is no envelope at all; one that lacks some is judged member by member. */
const REQUIRED = ['status', 'statusCode', 'statusMessage', 'traceId'] as const

/** Exchanges that one finding names. */
const NAMED_MAX = 5

export const everyResponseIsAnEnvelope = invariant({
  id: 'envelope.every-response',
  title: 'every response of the run is a well-formed envelope',
  requirements: ['ENV-01', 'ENV-02', ...ENVELOPE_REQUIREMENTS],
  judge: (context) => {
    const answered = answeredOf(context)
    judgeAll(context, answered, {
      requirement: 'ENV-02',
      statement: 'the body parses as JSON',
      holds: (exchange) => exchange.json !== undefined && flawOf(exchange) === undefined,
      place: whereItBreaks,
    })
    const parsed = answered.filter(({ json }) => json !== undefined)
    judgeAll(context, parsed, {
      requirement: 'ENV-01',
      statement: 'the body is a JSON object in the envelope form',
      holds: ({ json }) => isObject(json) && REQUIRED.some((name) => name in json),
    })
    judgeBySchema(
      context,
      parsed.filter(({ json }) => isObject(json)),
      ENVELOPE_REQUIREMENTS,
    )
    judgeTraces(context, parsed)
    observeHistory(context)
    observeHygiene(context)
  },
})

export const everyErrorIsAnEnvelope = invariant({
  id: 'envelope.every-error',
  title: 'every error answer is a complete envelope',
  requirements: ['ERR-01'],
  judge: (context) => {
    const errors = answeredOf(context).filter(({ response }) => (response?.status ?? 0) >= 400)
    if (errors.length === 0) untested('no request of the run was answered by an error')
    judgeAll(context, errors, {
      requirement: 'ERR-01',
      statement: 'an error has the required fields of the envelope',
      holds: ({ json }) => violationsOf('envelope', json).length === 0,
    })
  },
})

export const everyFieldErrorIsComplete = invariant({
  id: 'envelope.field-errors',
  title: 'every entry of errors has a known code, a field and a message',
  requirements: ['FIELD-01', 'FIELD-02', 'FIELD-03'],
  judge: (context) => {
    const listing = answeredOf(context).filter(({ json }) => errorsOf(json).length > 0)
    if (listing.length === 0) untested('no answer of the run listed field errors')
    judgeBySchema(context, listing, ['FIELD-01', 'FIELD-02', 'FIELD-03'])
  },
})

export const everyForbiddenHasAnUnnamedCode = invariant({
  id: 'envelope.forbidden-code',
  title: 'the statusCode of a 403 is none of the named numbers',
  requirements: ['ERR-02'],
  judge: (context) => {
    const forbidden = answeredOf(context).filter(({ response }) => response?.status === 403)
    if (forbidden.length === 0) untested('no request of the run was answered by 403')
    judgeAll(context, forbidden, {
      requirement: 'ERR-02',
      statement: 'a 403 has a statusCode other than 8, 13 and 14',
      holds: (exchange) => !hasNamedCode(exchange),
    })
  },
})

export const everySuccessHasTheStatedCode = invariant({
  id: 'envelope.success-code',
  title: 'a success has the statusCode that the target file states',
  requirements: ['ERR-05'],
  judge: (context) => {
    const { successStatusCode } = context.target.answers
    if (successStatusCode === undefined)
      inapplicable('the target file states no answers.successStatusCode')
    const firsts = new Set(firstAnswers(context.history).map(({ exchange }) => exchange))
    // What is accepted, a replay and the success of another operation may have numbers of their own.
    const successes = answeredOf(context).filter(
      (exchange) =>
        exchange.response?.status === 200 &&
        (LISTS.includes(exchange.operation) || firsts.has(exchange)),
    )
    if (successes.length === 0) untested('no request of the run was accepted')
    judgeAll(context, successes, {
      requirement: 'ERR-05',
      statement: `a success has the statusCode ${successStatusCode} (target file, answers.successStatusCode)`,
      holds: (exchange) => statusCodeOf(exchange) === successStatusCode,
    })
  },
})

/** The envelope of a list speaks of the request; of the orders it may only say what one of them says. */
export const everyListSaysSuccess = invariant({
  id: 'envelope.list-status',
  title: 'the envelope status of a list is SUCCESS, or that of one of its orders',
  requirements: ['ENV-11'],
  judge: (context) => {
    const lists = answeredOf(context).filter(
      (exchange) => LISTS.includes(exchange.operation) && isAccepted(exchange),
    )
    if (lists.length === 0) untested('no list was answered')
    const others = lists.filter((exchange) => envelopeStatusOf(exchange) !== 'SUCCESS')
    context.observe(
      'OPEN-78',
      others.length === 0
        ? 'every list says SUCCESS'
        : `${others.length} of ${lists.length} lists say the status of an order`,
      (others.length === 0 ? lists : others).slice(0, 1),
    )
    judgeAll(context, lists, {
      requirement: 'ENV-11',
      statement: 'the status is SUCCESS, or that of an order',
      holds: (exchange) => {
        const status = envelopeStatusOf(exchange)
        const states = (itemsOf(exchange) ?? []).map((item) => item['status'])
        return status === 'SUCCESS' || states.includes(status)
      },
    })
  },
})

const LISTS: readonly unknown[] = ['getOrders', 'listServices']

/** Refusals for something else than a limit or the provider: key, path, method, media type, body. */
const UNNAMED: readonly number[] = [400, 401, 404, 405, 415, 422]

export const everyNamedCodeIsInItsPlace = invariant({
  id: 'envelope.named-codes',
  title: 'no success and no refusal for key, media type or body has statusCode 8, 13 or 14',
  requirements: ['ERR-05'],
  judge: (context) => {
    const others = answeredOf(context).filter(
      (exchange) => isObject(exchange.json) && isUnnamed(exchange),
    )
    if (others.length === 0) untested('no request of the run was accepted or refused')
    judgeAll(context, others, {
      requirement: 'ERR-05',
      statement: 'the answer has a statusCode other than 8, 13 and 14',
      holds: (exchange) => !hasNamedCode(exchange),
    })
  },
})

function isUnnamed(exchange: Exchange): boolean {
  return isAccepted(exchange) || UNNAMED.includes(exchange.response?.status ?? 0)
}

/** So many answers with one identifier, all that there are, identify no request. */
const SAME_TRACE_MIN = 20

function judgeTraces({ expect }: InvariantContext, answered: readonly Exchange[]): void {
  const traced = answered.filter((exchange) => typeof traceIdOf(exchange) === 'string')
  if (traced.length === 0) return
  const empty = traced.filter((exchange) => traceIdOf(exchange) === '')
  const different = new Set(traced.map(traceIdOf))
  const isSame = different.size === 1 && traced.length >= SAME_TRACE_MIN
  const shared = sharedTrace(traced)
  const broken = empty.length > 0 ? empty : shared
  expect('ENV-09').that(`the traceId of ${traced.length} responses identifies a request`, {
    holds: broken.length === 0 && !isSame,
    expected: 'no empty text, and no identifier for several different requests',
    observed:
      empty.length > 0
        ? `${empty.length} are empty`
        : `${different.size} different identifiers${shared.length > 0 ? `, one of them for ${shared.length} different reads` : ''}`,
    exchanges: (broken.length > 0 ? broken : traced).slice(0, NAMED_MAX),
    about: broken,
  })
}

/** Only the place: what stands there may be a code. */
function whereItBreaks({ response }: Exchange): string {
  try {
    JSON.parse(response?.body ?? '')
  } catch (cause) {
    const [, position] = /at position (\d+)/.exec(String(cause)) ?? []
    if (position !== undefined) return `at character ${Number(position) + 1} of `
  }
  return ''
}

/** Reads of different things that one identifier stands for. What is cached or replayed may repeat its own. */
function sharedTrace(traced: readonly Exchange[]): readonly Exchange[] {
  const reads = traced.filter(({ request }) => request.method === 'GET')
  for (const same of Map.groupBy(reads, traceIdOf).values()) {
    const different = Map.groupBy(same, ({ request }) => request.url)
    if (different.size >= SHARED_MIN) return [...different.values()].flatMap(([one]) => one ?? [])
  }
  return []
}

/** One or two may be a stumble of a service that makes identifiers of the time. */
const SHARED_MIN = 3

function traceIdOf({ json }: Exchange): unknown {
  return isObject(json) ? json['traceId'] : undefined
}

function answeredOf({ history, target }: InvariantContext): Exchange[] {
  const answered = answersOfOperations(history, target)
  if (answered.length === 0) untested('no request of the run was answered')
  return answered
}

/** One finding over many exchanges: it names the first that break it. */
function judgeAll(
  { expect }: InvariantContext,
  exchanges: readonly Exchange[],
  {
    requirement,
    statement,
    holds,
    place = () => '',
  }: {
    readonly requirement: RequirementId
    readonly statement: string
    readonly holds: (exchange: Exchange) => boolean
    /** Where an answer breaks it, if more can be said than its beginning shows. */
    readonly place?: (exchange: Exchange) => string
  },
): void {
  const broken = exchanges.filter((exchange) => !holds(exchange))
  const [first] = broken
  expect(requirement).that(`${statement} (${exchanges.length} responses)`, {
    holds: broken.length === 0,
    expected: `so in all ${exchanges.length} responses`,
    observed: first
      ? `not in ${broken.length} of ${exchanges.length}, first ${place(first)}${showAnswer(first)}`
      : 'in all',
    exchanges: broken.slice(0, NAMED_MAX),
    about: broken,
  })
}

type Broken = { readonly exchange: Exchange; readonly violation: SchemaViolation }

function judgeBySchema(
  { expect }: InvariantContext,
  exchanges: readonly Exchange[],
  requirements: readonly RequirementId[],
): void {
  const broken = new Map<RequirementId, Broken[]>()
  for (const exchange of exchanges)
    for (const violation of violationsOf('envelope', exchange.json)) {
      const requirement = PLACES.find(([place]) => place.test(violation.pointer))?.[1] ?? 'ENV-06'
      broken.set(requirement, [...(broken.get(requirement) ?? []), { exchange, violation }])
    }
  for (const requirement of requirements) {
    const cases = broken.get(requirement) ?? []
    const [first] = cases
    expect(requirement).that(`${exchanges.length} responses held against the envelope's schema`, {
      holds: cases.length === 0,
      expected: 'no violation',
      observed: first
        ? `${cases.length} violations, first at ${first.violation.pointer}: ${first.violation.message}, got ${first.violation.got}`
        : 'no violation',
      exchanges: cases.slice(0, NAMED_MAX).map(({ exchange }) => exchange),
      about: cases.map(({ exchange }) => exchange),
    })
  }
}

function errorsOf(json: unknown): readonly unknown[] {
  const errors = (json as { errors?: unknown } | null | undefined)?.errors
  return Array.isArray(errors) ? errors : []
}
