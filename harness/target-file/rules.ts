/** What a target file must not say although its form allows it. */
import { SOLD_AS, type ProductAbility } from '../../contract/capabilities.ts'
import { OPERATIONS, type OperationName, type Operation } from '../../contract/operations.ts'
import { STATUS_CODE } from '../../contract/wire.ts'
import type { Operation as FileOperation, TargetFile } from '../../schemas/generated/target.ts'
import { admissionBudget } from './admission.ts'
import { pointerTo } from './json-document.ts'
import { didYouMean } from '../nearest.ts'
import { describeSafely, quoteSafely } from './secrets.ts'
import { selectorProblem } from './select.ts'
import { SELECTORS } from './selectors.ts'
import type { OrderKind } from './target.ts'
import {
  hasBrokenPlaceholder,
  pathVariables,
  templateVariables,
  withDoubleBraces,
} from './template.ts'

/** What breaks a rule, at a JSON Pointer of the file. */
export type RuleFlaw = {
  readonly pointer: string
  readonly what?: 'name'
  readonly message: string
  readonly fix: string
}

/** Variables that the harness gives to a template itself; a product need not. */
export const RUN_VARIABLES = ['referenceId', 'quantity', 'amount', 'orderId', 'quoteToken'] as const

/** Which products are ordered with the body template of a kind. */
export const KIND_PRODUCTS: Readonly<Record<OrderKind, readonly ProductAbility[]>> = {
  shop: SOLD_AS.voucher,
  dtu: ['dtu', 'quantity'],
  'dtu-check': ['dtu', 'dtu-timeout', 'dtu-slow', 'quantity'],
  esim: ['esim', 'esim-raw'],
  'platform-gift': ['platform-gift'],
}

function entries<V>(map: object | undefined): [string, V][] {
  return Object.entries(map ?? {}) as [string, V][]
}

function selectorRules(name: OperationName, operation: FileOperation, at: string): RuleFlaw[] {
  const known = Object.keys(SELECTORS[name])
  return entries<string>(operation.selectors).flatMap(([selector, text]): RuleFlaw[] => {
    const pointer = pointerTo(`${at}/selectors`, selector)
    if (!known.includes(selector))
      return [
        {
          pointer,
          what: 'name',
          message: `no check reads a selector ${quoteSafely(selector)} of ${name}; known are ${known.join(', ')}.`,
          fix: didYouMean(selector, known, 'Remove it.'),
        },
      ]
    const problem = selectorProblem(text)
    if (problem === undefined) return []
    return [
      {
        pointer,
        message: `got ${describeSafely(text)}, which is no selector: ${problem}.`,
        fix: 'Write a JSON Pointer such as /data/orderId or a JSONPath query such as $.data.items[*].id.',
      },
    ]
  })
}

function pathRules(path: string, pointer: string): RuleFlaw[] {
  const flaw = (message: string, fix: string): RuleFlaw[] => [{ pointer, message, fix }]
  if (/[?#]/.test(path))
    return flaw(
      'got a path with a query or a fragment.',
      'Move the query into "query" of the operation.',
    )
  if (/\s|\/\/|\/\.{1,2}(\/|$)/.test(path))
    return flaw(
      `got ${describeSafely(path)}; expected a plain path.`,
      'Remove white space, "//", "/./" and "/../".',
    )
  const rest = path.replaceAll(/\{[A-Za-z_][A-Za-z0-9_.-]*\}/g, '')
  if (/[{}]/.test(rest))
    return flaw(
      `got ${describeSafely(path)}, which has braces that are no placeholder.`,
      'Write a placeholder as {name}.',
    )
  return []
}

function textsOf(value: unknown, pointer: string): [string, string][] {
  if (typeof value === 'string') return [[pointer, value]]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, child]) => textsOf(child, pointerTo(pointer, name)))
}

function placeholderRules(operation: FileOperation, at: string): RuleFlaw[] {
  const { body, bodies, query } = operation
  return Object.entries({ body, bodies, query })
    .flatMap(([name, template]) => textsOf(template, `${at}/${name}`))
    .flatMap(([pointer, text]) => {
      const doubled = withDoubleBraces(text)
      if (doubled === undefined && !hasBrokenPlaceholder(text)) return []
      return [
        {
          pointer,
          message: `got ${describeSafely(text)}, which has braces that are no placeholder.`,
          fix: `Write ${doubled === undefined ? 'a placeholder as {{name}}' : `"${doubled}"`}: letters, digits, "_", "." and "-", starting with a letter, in double braces.`,
        },
      ]
    })
}

function methodRules(name: OperationName, operation: FileOperation, at: string): RuleFlaw[] {
  const shown: Operation = OPERATIONS[name]
  if (
    shown.path === undefined ||
    operation.method === undefined ||
    operation.method === shown.method
  )
    return []
  return [
    {
      pointer: `${at}/method`,
      message: `got ${operation.method}; the interface calls ${name} with ${shown.method}.`,
      fix: 'Remove "method".',
    },
  ]
}

/** Variables that some product has to give, and none does. */
function sharedVariableRules(
  file: Partial<TargetFile>,
  operation: FileOperation,
  at: string,
): RuleFlaw[] {
  const products = entries<{ variables?: object }>(file.products)
  if (products.length === 0) return []
  const given = new Set<string>([
    ...RUN_VARIABLES,
    ...products.flatMap(([, product]) => Object.keys(product.variables ?? {})),
  ])
  const { path = '', body, query } = operation
  const wanted: [string, readonly string[]][] = [
    [`${at}/path`, pathVariables(path)],
    [`${at}/body`, templateVariables(body)],
    [`${at}/query`, templateVariables(query)],
  ]
  return wanted.flatMap(([pointer, names]) =>
    names
      .filter((name) => !given.has(name))
      .map((name) => ({
        pointer,
        message: `the variable ${quoteSafely(name)} is given by no product.`,
        fix: didYouMean(name, [...given], `Add it to "variables" of a product.`),
      })),
  )
}

function orderVariableRules(
  file: Partial<TargetFile>,
  kind: OrderKind,
  body: unknown,
  pointer: string,
): RuleFlaw[] {
  const run: readonly string[] = RUN_VARIABLES
  const wanted = templateVariables(body).filter((name) => !run.includes(name))
  return KIND_PRODUCTS[kind].flatMap((ability) => {
    const product = file.products?.[ability]
    if (product === undefined) return []
    const given = Object.keys(product.variables ?? {})
    return wanted
      .filter((name) => !given.includes(name))
      .map((name) => ({
        pointer,
        message: `the variable ${quoteSafely(name)} is not given by the product "${ability}".`,
        fix: didYouMean(name, [...given, ...run], `Add it to products.${ability}.variables.`),
      }))
  })
}

function holdsCheckOnly(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).some(
    ([name, child]) => (name === 'checkOnly' && child === true) || holdsCheckOnly(child),
  )
}

/** Bodies that would spend money unseen, or twice. */
function orderSafetyRules(kind: OrderKind, body: unknown, pointer: string): RuleFlaw[] {
  if (kind === 'dtu-check')
    return holdsCheckOnly(body)
      ? []
      : [
          {
            pointer,
            message: 'the body of a check has no "checkOnly": true, so it would create orders.',
            fix: 'Add "checkOnly": true.',
          },
        ]
  if (templateVariables(body).includes('referenceId')) return []
  return [
    {
      pointer,
      message:
        'the body has no {{referenceId}}, so an order could not be repeated or found safely.',
      fix: 'Add "referenceId": "{{referenceId}}".',
    },
  ]
}

/** A gift is bought alone, and a check of a top-up buys nothing. */
const POSITION_KINDS: readonly OrderKind[] = ['shop', 'dtu', 'esim']

function positionRules(kind: OrderKind, pointer: string): RuleFlaw[] {
  if (POSITION_KINDS.includes(kind)) return []
  return [
    {
      pointer,
      message: `a position of a cart is of one of these kinds: ${POSITION_KINDS.join(', ')}.`,
      fix: 'Remove it.',
    },
  ]
}

function windowRules(name: OperationName, described: FileOperation, at: string): RuleFlaw[] {
  if (name !== 'rateLimits')
    return (['windows', 'windowUnit'] as const)
      .filter((member) => described[member] !== undefined)
      .map((member) => ({
        pointer: `${at}/${member}`,
        message: `only rateLimits has ${member}.`,
        fix: 'Move it to operations.rateLimits, or remove it.',
      }))
  const { windows } = described
  if (windows === undefined) return []
  const problem = selectorProblem(windows.list)
  if (problem === undefined) return []
  return [
    {
      pointer: `${at}/windows/list`,
      message: `got ${describeSafely(windows.list)}, which is no selector: ${problem}.`,
      fix: 'Write a JSON Pointer such as /data/rules.',
    },
  ]
}

function operationRules(file: Partial<TargetFile>): RuleFlaw[] {
  return entries<FileOperation>(file.operations).flatMap(([key, operation]) => {
    const name = key as OperationName
    const at = `/operations/${name}`
    const bodies = entries<unknown>(operation.bodies).flatMap(([kind, body]) => {
      const pointer = `${at}/bodies/${kind}`
      return [
        ...orderVariableRules(file, kind as OrderKind, body, pointer),
        ...(name === 'createCart'
          ? positionRules(kind as OrderKind, pointer)
          : orderSafetyRules(kind as OrderKind, body, pointer)),
      ]
    })
    return [
      ...(operation.path === undefined ? [] : pathRules(operation.path, `${at}/path`)),
      ...methodRules(name, operation, at),
      ...selectorRules(name, operation, at),
      ...placeholderRules(operation, at),
      ...sharedVariableRules(file, operation, at),
      ...bodies,
      ...windowRules(name, operation, at),
      ...(operation.bodies !== undefined && name !== 'createOrder' && name !== 'createCart'
        ? [
            {
              pointer: `${at}/bodies`,
              message: 'only createOrder and createCart have bodies by kind.',
              fix: 'Write "body" instead.',
            },
          ]
        : []),
    ]
  })
}

function answerRules(file: Partial<TargetFile>): RuleFlaw[] {
  const { answers, capabilities } = file
  const taken = [
    STATUS_CODE.limitReached,
    STATUS_CODE.apiKeyLimitExceeded,
    STATUS_CODE.providerUnavailable,
  ]
  const flaws = (['replayStatusCode', 'successStatusCode'] as const)
    .filter((name) => taken.some((code) => code === answers?.[name]))
    .map((name) => ({
      pointer: `/answers/${name}`,
      message: `got ${answers?.[name]}, which the interface gives another meaning.`,
      fix: 'Correct the number, or leave it out: it is then observed.',
    }))
  if (
    answers?.replayStatusCode !== undefined &&
    answers.replayStatusCode === answers.successStatusCode
  )
    flaws.push({
      pointer: '/answers/replayStatusCode',
      message: `got ${answers.replayStatusCode} for a replay and for a first success; a client could not tell them apart.`,
      fix: 'Correct one of the two numbers.',
    })
  if (answers?.platformGift === 'disabled' && capabilities?.includes('platform-gift'))
    flaws.push({
      pointer: '/answers/platformGift',
      message: 'got "disabled", but the capability "platform-gift" is declared.',
      fix: 'Remove one of the two.',
    })
  return flaws
}

function limitRules(file: Partial<TargetFile>): RuleFlaw[] {
  const stated = file.limits?.['orders.unhide.admission']
  if (stated === undefined) return []
  const { count, windowSeconds } = admissionBudget(file.limits ?? {})
  if (stated.count === count && stated.windowSeconds === windowSeconds) return []
  return [
    {
      pointer: '/limits/orders.unhide.admission',
      message: `got ${stated.count} per ${stated.windowSeconds} s; it follows from the pending and completed budgets, which give ${count} per ${windowSeconds} s.`,
      fix: 'Leave it out, or correct the pending and completed budgets.',
    },
  ]
}

/** Everything that a file of the right form says wrongly. */
export function brokenRules(file: Partial<TargetFile>): RuleFlaw[] {
  return [...operationRules(file), ...limitRules(file), ...answerRules(file)]
}
