/** One exchange, folded: what was sent, what came back, and the curl line that sends it again. */
import type { Exchange } from '../../../schemas/generated/run-record.ts'
import { layOutJson } from '../shared/json-layout.ts'
import { anchor, markup, type Markup } from '../shared/markup.ts'
import { capped, formatNumber, formatUtc, oneLine } from '../../text.ts'

/** How much of an exchange is printed, in characters. The whole stands in run.json. */
export type ExchangeDetail = { readonly bodyCharsMax: number; readonly curlCharsMax: number }
export const FULL_DETAIL: ExchangeDetail = { bodyCharsMax: 6_000, curlCharsMax: 6_000 }
export const BRIEF_DETAIL: ExchangeDetail = { bodyCharsMax: 1_500, curlCharsMax: 1_500 }

const HEADERS_MAX = 40
const HEADER_CHARS_MAX = 400

/** The part of the URL that tells exchanges apart. */
function pathOf(url: string): string {
  const parsed = URL.parse(url)
  return parsed === null ? url : `${parsed.pathname}${parsed.search}`
}

function statusChip(exchange: Exchange): Markup {
  if (exchange.status === undefined)
    return markup`<span class="chip inconclusive">${oneLine(exchange.error?.code ?? 'no answer', 60)}</span>`
  return markup`<span class="chip untested">${exchange.status}</span>`
}

function headerLines(headers: readonly (readonly [string, string])[]): Markup {
  const shown = headers.slice(0, HEADERS_MAX).map(([name, value]) => {
    return markup`<b>${oneLine(name, HEADER_CHARS_MAX)}:</b> ${oneLine(value, HEADER_CHARS_MAX)}\n`
  })
  const left = headers.length - HEADERS_MAX
  return markup`${shown}${left > 0 ? markup`… and ${left} more headers\n` : undefined}`
}

function bodyText(body: string | undefined, charsMax: number): Markup {
  if (body === undefined || body === '') return markup`\n(no body)`
  return markup`\n${capped(layOutJson(capped(body, charsMax)), charsMax * 2)}`
}

function request(exchange: Exchange, detail: ExchangeDetail): Markup {
  return markup`<div><p class="label">Request</p><pre><b>${oneLine(`${exchange.method} ${exchange.url}`, 2_000)}</b>\n${headerLines(exchange.requestHeaders)}${bodyText(exchange.requestBody, detail.bodyCharsMax)}</pre></div>`
}

function response(exchange: Exchange, detail: ExchangeDetail): Markup {
  if (exchange.status === undefined)
    return markup`<div><p class="label">No response</p><pre>${oneLine(exchange.error?.code ?? 'no answer', 200)}\n${capped(exchange.error?.message ?? '', 2_000)}</pre></div>`
  const cut = exchange.truncated === true ? '\n(the body was longer than the client reads)' : ''
  return markup`<div><p class="label">Response</p><pre><b>HTTP ${exchange.status}</b>\n${headerLines(exchange.responseHeaders ?? [])}${bodyText(exchange.responseBody, detail.bodyCharsMax)}${cut}</pre></div>`
}

/** Milliseconds between sending and receiving, for people. */
function tookMs(exchange: Exchange): string {
  const ms = exchange.receivedAtMs - exchange.sentAtMs
  return `${formatNumber(Math.round(ms * 10) / 10)} ms`
}

function origin(exchange: Exchange): string {
  const parts = [
    formatUtc(exchange.sentAt),
    exchange.account === undefined ? undefined : `account ${exchange.account}`,
    exchange.connection === undefined ? undefined : `connection ${exchange.connection}`,
  ]
  return parts.filter((part) => part !== undefined).join(' · ')
}

function exchangeAnchor(id: string): string {
  return anchor('exchange', id)
}

/** A link where the page prints the exchange, else its name. */
export function exchangeLink(id: string, printed: ReadonlySet<string>): Markup {
  const name = markup`<code>${oneLine(id, 60)}</code>`
  return printed.has(id) ? markup`<a href="#${exchangeAnchor(id)}">${name}</a>` : name
}

/** The anchor stands inside the fold: browsers open a fold whose content is the target of a link. */
export function exchangeDetails(
  exchange: Exchange,
  detail: ExchangeDetail,
  isOpen = false,
): Markup {
  return markup`<details class="exchange"${isOpen ? markup` open` : undefined}><summary><code>${oneLine(`${exchange.method} ${pathOf(exchange.url)}`, 200)}</code> ${statusChip(exchange)} <span class="muted small">as ${oneLine(exchange.role, 60)} · ${tookMs(exchange)} · ${oneLine(exchange.id, 60)}</span></summary><div id="${exchangeAnchor(exchange.id)}">
<div><p class="label">Send it again</p><pre>${capped(exchange.curl, detail.curlCharsMax)}</pre></div>
<div class="messages">${request(exchange, detail)}${response(exchange, detail)}</div>
<p class="muted small">${oneLine(origin(exchange), 300)}</p></div></details>`
}
