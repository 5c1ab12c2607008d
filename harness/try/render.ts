/** Request, answer and what selectors find, for a terminal. */
import { isAccepted } from '../../contract/answers.ts'
import type { Exchange } from '../client/exchange.ts'
import { evidenceOf } from '../record/evidence.ts'
import type { Redactor } from '../record/redact.ts'
import { painter, type Paint } from '../report/paint.ts'
import { oneLine, plural, visible } from '../text.ts'
import { unreachable } from '../gate/unreachable.ts'
import type { Found } from './found.ts'

const BODY_LINES_MAX = 60
const VALUES_MAX = 5
const VALUE_CHARS_MAX = 90

export function renderTry(
  exchange: Exchange,
  found: readonly Found[],
  { redactor, colour }: { readonly redactor: Redactor; readonly colour: boolean },
): string {
  const paint = painter(colour)
  const shown = evidenceOf(exchange, redactor)
  const headers = (list: readonly (readonly string[])[] = []): string[] =>
    list.map(([name, value]) => paint('gray', oneLine(`  ${name}: ${value}`)))
  const ms = Math.round(exchange.receivedAtMs - exchange.sentAtMs)
  const status = exchange.response?.status ?? 0
  const answer = exchange.error
    ? paint(
        'red',
        `no answer: ${exchange.error.code}, ${oneLine(redactor.text(exchange.error.message))}`,
      )
    : paint(isAccepted({ status }) ? 'green' : 'red', `HTTP ${status}`)
  return [
    paint('bold', oneLine(`${shown.method} ${shown.url}`)),
    ...headers(shown.requestHeaders),
    ...bodyLines(shown.requestBody),
    '',
    `${answer} after ${ms} ms`,
    ...headers(shown.responseHeaders),
    ...(exchange.error
      ? [`→ ${unreachable(exchange.error, new URL(exchange.request.url).origin).nextStep}`]
      : []),
    ...bodyLines(redactor.text(pretty(exchange))),
    '',
    ...(found.length > 0
      ? [paint('bold', 'Selectors'), ...selectorLines(found, redactor, paint)]
      : []),
    '',
  ].join('\n')
}

function pretty({ json, response }: Exchange): string {
  return json === undefined ? (response?.body ?? '') : JSON.stringify(json, undefined, 2)
}

function bodyLines(text: string | undefined): string[] {
  if (!text) return []
  const lines = visible(text).split('\n')
  const more = lines.length - BODY_LINES_MAX
  return [
    ...lines.slice(0, BODY_LINES_MAX).map((line) => `  ${line.slice(0, 200)}`),
    ...(more > 0 ? [`  … and ${plural(more, 'more line')}`] : []),
  ]
}

function selectorLines(found: readonly Found[], redactor: Redactor, paint: Paint): string[] {
  const width = Math.max(...found.map(({ name }) => name.length))
  const indent = ' '.repeat(width + 4)
  return found.flatMap(({ name, meaning, selector, values, mayLack, astray }) => {
    const head = `  ${name.padEnd(width)}  `
    if (selector === undefined) return [paint('gray', `${head}not given: ${meaning}`)]
    const place = selector === '' ? 'the whole body' : selector
    if (mayLack !== undefined)
      return [paint('gray', `${head}${place} finds nothing: ${oneLine(redactor.text(mayLack))}`)]
    if (values.length === 0)
      return [
        paint('red', `${head}${place} finds nothing: ${meaning}`),
        ...(astray === undefined
          ? []
          : [paint('yellow', `${indent}→ ${oneLine(redactor.text(astray))}`)]),
      ]
    const count = values.length > 1 ? ` (${values.length})` : ''
    return [paint('green', `${head}${place}${count}`), `${indent}${valuesText(values, redactor)}`]
  })
}

function valuesText(values: readonly unknown[], redactor: Redactor): string {
  const shown = values.slice(0, VALUES_MAX).map((value) => {
    const text = redactor.text(JSON.stringify(value) ?? 'undefined')
    return text.length > VALUE_CHARS_MAX ? `${text.slice(0, VALUE_CHARS_MAX)}…` : text
  })
  return oneLine([...shown, ...(values.length > VALUES_MAX ? ['…'] : [])].join('  '))
}
