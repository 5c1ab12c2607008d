/** Every byte that a run leaves, searched for every key and every code that passed by. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { RUN_FILES } from '../../harness/report/index.ts'
import { listen } from '../../reference/server.ts'
import { createService, type LimitRules, type ServiceOptions } from '../../reference/service.ts'
import { targetFile } from '../../reference/target.ts'
import { k6AtHand } from '../support/k6.ts'
import { start, type Command } from '../verdict/command-line.ts'
import { run as runHere } from '../verdict/here.ts'
import { frontOf, targetOnDisk, type Front, type FrontedService } from '../verdict/servers.ts'
import { filesBelow, leaksBelow, leaksIn, searchesFor } from './canary.ts'

const ROOT = path.join(import.meta.dirname, '..', '..')

const hasK6 = k6AtHand !== undefined

const SHORT = { count: 12, windowSeconds: 2 }
const LIMITS: LimitRules = {
  default: { count: 40, windowSeconds: 2 },
  'orders.check': SHORT,
  'orders.list': { count: 2, windowSeconds: 2 },
  'orders.filtered': SHORT,
  'orders.unhide.pending': { count: 6, windowSeconds: 2 },
  'orders.unhide.completed': { count: 1, windowSeconds: 2 },
}

/** Names under which goods and credentials travel (interface: Voucher, EsimActivation, quotes). */
const GOODS = /^(pin|serialNumber|qrCodeText|iccid|activationCode|quoteToken|key)$/

/** All keys that were sent and all goods that were shown in clear, read off the wire. */
function secretsOf(fronts: readonly FrontedService[]): Set<string> {
  const secrets = new Set<string>()
  for (const { request, answer } of fronts.flatMap(({ seen }) => seen)) {
    const key = request.headers['x-api-key']
    // Made up by the harness and never issued: no secret.
    if (typeof key === 'string' && !key.startsWith('harness-invented')) secrets.add(key)
    if (answer) collectGoods(answer.body, secrets)
  }
  return secrets
}

function collectGoods(body: string, into: Set<string>): void {
  JSON.parse(body || 'null', (name, value: unknown) => {
    if (GOODS.test(name) && typeof value === 'string' && !/[*•]|xxx/i.test(value)) into.add(value)
    return value
  })
}

type Watched = {
  readonly code: number | null
  readonly secrets: ReadonlySet<string>
  readonly leaks: readonly object[]
  readonly files: readonly string[]
}

/** Carries a command out and looks for leaks in all that it left; the secrets are known when it has ended. */
type Carry = (
  parameters: readonly string[],
  secretsSeen: () => ReadonlySet<string>,
) => Promise<Omit<Watched, 'secrets'>>

/** In a process of its own, as a user does. */
const apart =
  (command: Command): Carry =>
  async (parameters, secretsSeen) => {
    const sinceMs = Date.now() - 1_000
    await using running = await start(command, parameters)
    const ended = await running.ended
    const searches = searchesFor(secretsSeen())
    const leaks = [
      ...(await leaksBelow(running.reportsDir, searches)),
      ...(await leaksBelow(running.tempDir, searches)),
      ...(await leaksBelow(path.join(ROOT, 'node_modules', '.vite'), searches, sinceMs)),
      ...(await leaksBelow(path.join(ROOT, 'node_modules', '.vite-temp'), searches, sinceMs)),
      ...leaksIn('standard output', ended.out, searches),
      ...leaksIn('standard error', ended.err, searches),
    ]
    return { code: ended.code, leaks, files: await filesBelow(running.reportsDir) }
  }

/** In this process: the same files and streams, without the start of vitest. */
const here: Carry = async (parameters, secretsSeen) => {
  const ended = await runHere('conformance', parameters)
  const searches = searchesFor(secretsSeen())
  const written = RUN_FILES.map(async ({ file }) => leaksIn(file, await ended.file(file), searches))
  const leaks = [
    ...(await Promise.all(written)).flat(),
    ...leaksIn('standard output', ended.out, searches),
    ...leaksIn('standard error', ended.err, searches),
  ]
  return { code: ended.code, leaks, files: [] }
}

/** Runs a command against a service whose every message is seen, with fresh accounts, and looks for leaks. */
async function watchedRun(
  carry: Carry,
  parameters: readonly string[],
  front: Front,
  options: ServiceOptions = {},
): Promise<Watched> {
  const behind = await listen(createService({ limits: LIMITS, ...options }), { controlPort: 0 })
  try {
    await using service = await frontOf(behind.baseUrl, front)
    await using control = await frontOf(behind.controlBaseUrl ?? '')
    const content = targetFile(service.baseUrl, control.baseUrl) as { credentials?: object }
    delete content.credentials
    await using target = await targetOnDisk(service.baseUrl, () => content)
    const secretsSeen = (): Set<string> => secretsOf([service, control])
    const left = await carry(['--target', target.file, ...parameters], secretsSeen)
    return { ...left, secrets: secretsSeen() }
  } finally {
    await behind.close()
  }
}

describe.concurrent('no byte of a run holds a secret', () => {
  test('all checks', async () => {
    const { secrets, leaks, files } = await watchedRun(apart('gate'), ['--no-load'], () => 'pass')
    expect(leaks).toEqual([])
    expect(secrets.size).toBeGreaterThan(50)
    expect(files.map((file) => path.basename(file)).toSorted()).toEqual(
      expect.arrayContaining(['index.html', 'junit.xml', 'run.json']),
    )
  })

  test.skipIf(!hasK6)('all load scenarios', async () => {
    const { secrets, leaks, files } = await watchedRun(apart('load'), [], () => 'pass')
    expect(leaks).toEqual([])
    expect(secrets.size).toBeGreaterThan(10)
    expect(files.length).toBeGreaterThan(3)
  })

  test('against a service that shows codes where it should not, in a note as well', async () => {
    const { code, leaks } = await watchedRun(
      here,
      ['--only', 'reading,orders,envelope'],
      () => 'pass',
      {
        faults: ['filtered-unmasked', 'listing-unmasked', 'masked-code-in-note'],
      },
    )
    expect(leaks).toEqual([])
    expect(code).not.toBe(0)
  })

  test('against a service that echoes what it was sent', async () => {
    const { code, leaks } = await watchedRun(here, ['--only', 'auth,content-type'], (request) =>
      request.url.startsWith('/api/v1/services') ? echo(request) : 'pass',
    )
    expect(leaks).toEqual([])
    expect(code).not.toBe(0)
  })

  test('against a service that escapes every letter of what it was sent, or tells it in two parts', async () => {
    const { code, leaks } = await watchedRun(here, ['--only', 'auth,content-type'], (request) =>
      request.url.startsWith('/api/v1/services') ? escapedEcho(request) : 'pass',
    )
    expect(leaks).toEqual([])
    expect(code).not.toBe(0)
  })
})

/** The key with each letter escaped in all ways, and in two halves, in fields and in headers. */
function escapedEcho({ headers }: Parameters<Front>[0]): ReturnType<Front> {
  const key = String(headers['x-api-key'] ?? '')
  const half = Math.ceil(key.length / 2)
  const [first, second] = [key.slice(0, half), key.slice(half)]
  const each = (escape: (code: number) => string): string =>
    Array.from(key, (letter) => escape(letter.codePointAt(0) ?? 0)).join('')
  const forUrl = each((code) => `%${code.toString(16)}`)
  const data = { first, second, forUrl, forHtml: each((code) => `&#${code};`) }
  const forJson = each((code) => String.raw`\u${code.toString(16).padStart(4, '0')}`)
  return {
    status: 500,
    headers: { 'x-first': first, 'x-second': second, 'x-url': forUrl },
    body: `{"status":"CANCELLED","statusCode":1,"statusMessage":"${forJson}","traceId":"t","data":${JSON.stringify(data)}}`,
  }
}

/** The key in a body, in a header, in base64, in hexadecimal digits, and where a cut will go through it. */
function echo({ headers }: Parameters<Front>[0]): ReturnType<Front> {
  const key = String(headers['x-api-key'] ?? '')
  return {
    status: 500,
    headers: { 'x-echo': key, 'x-cookie': Buffer.from(`key=${key}`).toString('base64') },
    body: JSON.stringify({
      status: 'CANCELLED',
      statusCode: 1,
      statusMessage: `${'no '.repeat(60)}${key}`,
      traceId: Buffer.from(key).toString('hex'),
      data: { headers, url: encodeURIComponent(key) },
    }),
  }
}

const hex = (letter: string): string => (letter.codePointAt(0) ?? 0).toString(16)

describe('the canary can fail', () => {
  const SECRET = 'ABCD-1234/efgh+5678'

  test.each([
    ['plain', SECRET],
    ['plain in small letters', SECRET.toLowerCase()],
    ['URL-encoded', encodeURIComponent(SECRET)],
    ['base64', Buffer.from(SECRET).toString('base64')],
    ['hexadecimal', Buffer.from(SECRET).toString('hex')],
    ['without separators', 'ABCD1234efgh5678'],
    ['cut in half', SECRET.slice(0, 12)],
    ['its end', SECRET.slice(-12)],
    ['escaped for a URL', Array.from(SECRET, (each) => `%${hex(each)}`).join('')],
    ['escaped for HTML', Array.from(SECRET, (each) => `&#${each.codePointAt(0)};`).join('')],
    ['escaped for JSON', Array.from(SECRET, (each) => String.raw`\\u00${hex(each)}`).join('')],
  ])('it finds a planted secret: %s', async (_form, planted) => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'canary-'))
    try {
      await writeFile(path.join(folder, 'run.json'), `{"note":"before ${planted} after"}`)
      expect(await leaksBelow(folder, searchesFor([SECRET]))).not.toEqual([])
      expect(await leaksBelow(folder, searchesFor(['another-secret-0000']))).toEqual([])
    } finally {
      await rm(folder, { recursive: true })
    }
  })
})
