/** `replay`: what its command line means, and what it prints. */
import { openTransport } from '../client/open-transport.ts'
import type { WireResponse } from '../client/exchange.ts'
import { readPage } from '../command-line.ts'
import { HarnessError, usageError } from '../errors.ts'
import { readRecord } from '../record/read.ts'
import { Redactor } from '../record/redact.ts'
import { oneLine, plural } from '../text.ts'
import type { CommandStreams } from '../target-file/command-line.ts'
import { REPLAY_PAGE } from './page.ts'
import { planReplay, type Planned } from './plan.ts'

const BODY_CHARS_MAX = 400

type Answer = { readonly status: number; readonly statusCode: unknown; readonly body: string }

/** Sends the exchanges of one failure again. Gives the exit code. */
export async function replayCommand(
  argv: readonly string[],
  env: NodeJS.ProcessEnv,
  { out }: CommandStreams,
): Promise<number> {
  const { values, positionals } = readPage(REPLAY_PAGE, argv)
  const [file, check, ...others] = positionals
  if (file === undefined || check === undefined || others.length > 0)
    throw usageError(
      `${plural(positionals.length, 'word')} given, a run and a check were expected`,
      'Write npm run replay -- reports/latest AUTH-03.',
    )
  const planned = planReplay(await readRecord(file), {
    check,
    baseUrl: values['base-url'],
    allowPurchases: values['allow-purchases'] ?? false,
    env,
  })
  const redactor = redactorOf(planned)
  const transport = openTransport({}, {}, env)
  const replayed: Replayed[] = []
  let isSame = true
  try {
    for (const each of planned) {
      const now = answerOf(await sent(transport, each))
      const before = recordedAnswer(each)
      const alike = now.status === before.status && now.statusCode === before.statusCode
      if (each.isOffending) isSame = alike
      replayed.push(shown(each, { before, now }, redactor))
      if (values.json !== true)
        out.write(`${lines(each, { before, now, alike }, redactor).join('\n')}\n`)
    }
  } finally {
    await transport.close()
  }
  if (values.json === true)
    out.write(`${JSON.stringify({ check, isSame, exchanges: replayed }, undefined, 2)}\n`)
  else
    out.write(
      isSame
        ? 'The offending exchange is answered as recorded.\n'
        : 'The offending exchange is answered otherwise now.\n',
    )
  return isSame ? 1 : 0
}

type Sending = ReturnType<typeof openTransport>

async function sent(transport: Sending, { request }: Planned): Promise<WireResponse> {
  try {
    return await transport.send(request)
  } catch (cause) {
    throw new HarnessError(
      'E_ENVIRONMENT_UNREACHABLE',
      `${request.method} ${request.url} got no answer: ${(cause as Error).message}`,
      'Check the address with npm run verify, or name another one with --base-url.',
      { cause },
    )
  }
}

function answerOf({ status, body }: WireResponse): Answer {
  return { status, statusCode: statusCodeIn(body), body }
}

function recordedAnswer({ recorded }: Planned): Answer {
  const { status = 0, responseBody = '' } = recorded
  return { status, statusCode: statusCodeIn(responseBody), body: responseBody }
}

function statusCodeIn(body: string): unknown {
  try {
    return (JSON.parse(body) as { statusCode?: unknown } | null)?.statusCode
  } catch {
    return undefined
  }
}

/** No key of the requests is printed, whatever the service echoes. */
function redactorOf(planned: readonly Planned[]): Redactor {
  const redactor = new Redactor()
  for (const { request } of planned)
    for (const [name, value] of request.headers)
      if (name.toLowerCase() === 'x-api-key' && value !== '') redactor.addSecret(value, 'key')
  return redactor
}

/** What --json prints of one exchange. */
type Replayed = {
  readonly id: string
  readonly method: string
  readonly url: string
  readonly role: string
  readonly isOffending: boolean
  readonly recorded: Pick<Answer, 'status' | 'body'>
  readonly now: Pick<Answer, 'status' | 'body'>
}

function shown(
  { recorded, request, isOffending }: Planned,
  { before, now }: Readonly<Record<'before' | 'now', Answer>>,
  redactor: Redactor,
): Replayed {
  const answer = ({ status, body }: Answer): Replayed['now'] => ({
    status,
    body: redactor.text(body),
  })
  const { id, role } = recorded
  const { method } = request
  const url = redactor.text(request.url)
  return { id, method, url, role, isOffending, recorded: answer(before), now: answer(now) }
}

function lines(
  { recorded, request, isOffending }: Planned,
  {
    before,
    now,
    alike,
  }: { readonly before: Answer; readonly now: Answer; readonly alike: boolean },
  redactor: Redactor,
): string[] {
  const told = ({ status, body }: Answer): string =>
    `HTTP ${status} ${oneLine(redactor.text(body), BODY_CHARS_MAX)}`
  return [
    `${isOffending ? '✕' : ' '} ${recorded.id} ${request.method} ${oneLine(redactor.text(request.url), 300)} as ${recorded.role}`,
    `    recorded: ${told(before)}`,
    `    now:      ${alike ? 'the same: ' : ''}${told(now)}`,
  ]
}
