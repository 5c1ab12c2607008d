/** Runs of our command line behind a proxy and with a certificate of the client: preflight, checks and a real k6 take one way. */
import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { k6AtHand } from '../support/k6.ts'
import { expectGreen } from '../support/punctual.ts'
import { run } from '../verdict/command-line.ts'
import { run as runHere } from '../verdict/here.ts'
import { frontedService, targetOnDisk } from '../verdict/servers.ts'
import { certificate, forwardingProxy, HOST, tlsFront } from './servers.ts'

const LIMITS = { default: { count: 80, windowSeconds: 2 } }
const CLIENT = ['--client-cert', certificate('client'), '--client-key', certificate('client.key')]
const TRUST = { NODE_EXTRA_CA_CERTS: certificate('authority') }
const PASSWORD = 'password-of-the-proxy'

type Ended = { readonly code: number; readonly out: string }

/** A command that makes no run: its exit code, and all that it printed. */
function script(name: string, argv: readonly string[], env: NodeJS.ProcessEnv): Promise<Ended> {
  const file = path.resolve(import.meta.dirname, '../../scripts', `${name}.ts`)
  const { promise, resolve } = Promise.withResolvers<Ended>()
  const all = { ...process.env, ...env }
  execFile(process.execPath, [file, ...argv], { env: all }, (failure, out, err) =>
    resolve({ code: failure ? Number(failure.code) : 0, out: out + err }),
  )
  return promise
}

const direct = (file: Record<string, unknown>): object => ({ ...file, environment: 'sandbox' })

describe.concurrent('behind a proxy', () => {
  test.skipIf(k6AtHand === undefined)(
    'a tunnel leads both to a server that wants a certificate of its client',
    async () => {
      await using service = await frontedService(undefined, { limits: LIMITS })
      await using front = await tlsFront(service.port, { wantsClient: true })
      await using proxy = await forwardingProxy(front)
      await using target = await targetOnDisk(`https://${HOST}`, direct)
      const env = { ...target.env, ...TRUST, HTTPS_PROXY: proxy.url }
      const what = ['--only', 'auth.missing-key,browse', '--seconds', '2', '--rate', '2']
      const gate = ['--target', target.file, '--scenario', 'browse', ...what]
      const ended = await run('gate', [...gate, ...CLIENT], env)
      const record = await ended.record()
      expect(record.checks.map(({ verdict }) => verdict)).toEqual(['pass'])
      await expectGreen(ended)
      expect(new Set(proxy.asked)).toEqual(new Set([`CONNECT ${HOST}:443`]))
      const without = await run('gate', gate, env)
      expect(without.code).toBe(3)
      const { exitReason, nextStep } = await without.record()
      expect(exitReason).toMatch(
        /E_ENVIRONMENT_UNREACHABLE.*ended the TLS connection without an answer/,
      )
      expect(nextStep).toMatch(
        /certificate of its client.*--client-cert FILE.pem --client-key FILE.pem/,
      )
    },
  )

  test('the small commands take the same way, and say what is missing without a certificate', async () => {
    await using service = await frontedService()
    await using front = await tlsFront(service.port, { wantsClient: true })
    await using proxy = await forwardingProxy(front)
    await using target = await targetOnDisk(`https://${HOST}`, direct)
    const child = path.join(path.dirname(target.file), 'child.target.json')
    const base = { extends: path.basename(target.file), name: 'child' }
    await writeFile(child, JSON.stringify(base))
    const made = path.join(path.dirname(target.file), 'made.target.json')
    const env = { ...target.env, ...TRUST, HTTPS_PROXY: proxy.url }
    const small = (more: readonly string[]): Promise<Ended>[] => [
      script('verify', ['--target', child, ...more], env),
      script('try', ['whoami', '--target', child, ...more], env),
      script('init', ['--base-url', `https://${HOST}`, '--out', made, ...more], env),
    ]
    const [seen, tried, written] = await Promise.all(small(CLIENT))
    expect([seen, tried, written].map((each) => each?.code)).toEqual([0, 0, 0])
    expect(seen?.out).toMatch(/^child at https:.*/)
    expect(written?.out).toContain(`--target ${made} ${CLIENT.join(' ')};`)
    const without = await Promise.all(small([]))
    expect(without.map(({ code }) => code)).toEqual([3, 3, 3])
    for (const { out } of without)
      expect(out).toContain('If it wants a certificate of its client, show one: --client-cert')
  })
})

// In this process, whose environment the others start theirs from.
describe('no process is needed where', () => {
  test.skipIf(k6AtHand === undefined)(
    'checks and k6 go through a proxy alike, by plain requests',
    async () => {
      await using service = await frontedService(undefined, { limits: LIMITS })
      await using proxy = await forwardingProxy({
        port: service.port,
        login: `harness:${PASSWORD}`,
      })
      await using target = await targetOnDisk(`http://${HOST}`, direct)
      const what = ['--only', 'auth.missing-key,browse', '--seconds', '2', '--rate', '2']
      const ended = await runHere(
        'gate',
        ['--target', target.file, '--scenario', 'browse', ...what],
        {
          ...target.env,
          HTTP_PROXY: proxy.url.replace('://', `://harness:${PASSWORD}@`),
        },
      )
      const record = await ended.record()
      expect(record.checks.map(({ id, verdict }) => [id, verdict])).toEqual([
        ['auth.missing-key', 'pass'],
      ])
      expect(record.load.map(({ scenario }) => scenario)).toEqual(['browse'])
      await expectGreen(ended)
      expect(proxy.asked).toHaveLength(service.seen.length)
      const { sent = 0 } = record.load[0]?.requests ?? {}
      expect(sent).toBeGreaterThan(0)
      // Those of preflight and checks besides.
      expect(proxy.asked.length).toBeGreaterThan(sent)
      expect(record.hazards.join('\n')).toContain(
        `requests go through the proxy 127.0.0.1:${proxy.port} (HTTP_PROXY)`,
      )
      expect(JSON.stringify(record) + ended.out + ended.err).not.toContain(PASSWORD)
    },
  )

  test('a proxy that refuses is named', async () => {
    await using proxy = await forwardingProxy({ port: 1, refuses: 403 })
    const ended = await runHere('conformance', ['--base-url', `https://${HOST}`], {
      ORDERING_KEY: 'a-key-0123456789',
      HTTPS_PROXY: proxy.url,
    })
    expect(ended.code).toBe(3)
    expect((await ended.record()).exitReason).toContain(
      `the proxy 127.0.0.1:${proxy.port} refuses with HTTP 403`,
    )
  })

  test('a service on this machine is reached directly', async () => {
    await using service = await frontedService()
    await using proxy = await forwardingProxy(service)
    await using target = await targetOnDisk(service.baseUrl)
    const what = ['--target', target.file, '--only', 'auth.missing-key']
    const ended = await runHere('conformance', what, { ...target.env, HTTP_PROXY: proxy.url })
    expect(ended.code, ended.out).toBe(0)
    expect(proxy.asked).toEqual([])
    expect((await ended.record()).hazards.join()).not.toContain('proxy')
  })
})
