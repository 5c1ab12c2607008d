/** Exit 3: the environment is not ready. Each cause has its own sentence, and what was measured is kept. More causes: test/hostile/rows/servers.ts. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { describe, expect, test } from 'vitest'
import { expectNotGreen, start } from './command-line.ts'
import { run as runHere } from './here.ts'
import { answering, frontedService, targetOnDisk } from './servers.ts'

const KEY = { ORDERING_KEY: 'wrong-key-0123456789abcdef' }

const envelope = (more: object): string =>
  JSON.stringify({ status: 'CANCELLED', statusCode: 1, statusMessage: 'no', traceId: 't', ...more })

describe.concurrent('exit 3', () => {
  test.each([
    ['never answers', () => {}],
    [
      'sends its answer byte by byte',
      (response: NodeJS.WritableStream) => {
        const timer = setInterval(() => response.write(' '), 300)
        response.on('close', () => clearInterval(timer))
      },
    ],
  ])('a server that %s is given up, with progress', async (_what, answer) => {
    await using server = await answering((_request, response) => answer(response))
    const ended = await runHere('conformance', ['--base-url', server.baseUrl], KEY)
    const record = await expectNotGreen(ended, 3)
    expect(record.exitReason).toMatch(/E_ENVIRONMENT_UNREACHABLE.*did not answer .* within 12 s/)
    expect(ended.err).toMatch(/waits for an answer of .*, \d+ of \d+ s/)
  })

  test('a wrong key, which the answer echoes', async () => {
    await using service = await frontedService(({ headers }) => ({
      status: 401,
      body: envelope({ statusMessage: `no such key: ${String(headers['x-api-key'])}` }),
    }))
    const ended = await runHere('conformance', ['--base-url', service.baseUrl], KEY)
    const record = await expectNotGreen(ended, 3)
    expect(record.exitReason).toMatch(/E_ENVIRONMENT_KEY.*refuses the key on every endpoint/)
    expect(record.exitReason).toContain('«key of full»')
    expect(ended.out + ended.err + (await ended.file('run.json'))).not.toContain(KEY.ORDERING_KEY)
  })

  test('a key that begins with a word of the record leaves the record whole', async () => {
    await using service = await frontedService(() => ({ status: 401, body: envelope({}) }))
    const key = { ORDERING_KEY: 'partner_sandbox_0123456789abcdef' }
    const ended = await runHere('conformance', ['--base-url', service.baseUrl], key)
    const record = await expectNotGreen(ended, 3)
    expect(record.target.timing).toBe('partner')
  })

  test('a server that is killed half-way: what was measured is recorded', async () => {
    const child = spawn(
      process.execPath,
      ['scripts/serve.ts', '--port', '0', '--window-seconds', '3'],
      { stdio: ['ignore', 'ignore', 'pipe'] },
    )
    try {
      const [line] = (await once(createInterface(child.stderr), 'line')) as [string]
      const [baseUrl = ''] = /http:\S+\d/.exec(line) ?? []
      await using target = await targetOnDisk(baseUrl)
      await using running = await start(
        'conformance',
        ['--target', target.file, '--only', 'auth,limits,envelope'],
        target.env,
      )
      await running.shows(/[1-9]\d* of \d+ checks ended/)
      child.kill('SIGKILL')
      const ended = await running.ended
      const record = await expectNotGreen(ended, 3)
      expect(record.exitReason).toMatch(/E_ENVIRONMENT_LOST.*stopped answering during the run/)
      expect(record.nextStep).toContain('log')
      expect(record.checks.filter(({ verdict }) => verdict === 'pass').length).toBeGreaterThan(0)
      expect(record.exchanges.length).toBeGreaterThan(0)
    } finally {
      child.kill('SIGKILL')
    }
  })

  test('no k6: the sentence says how to install it, and the checks stay', async () => {
    const ended = await runHere('gate', ['--only', 'auth.missing-key,rate-limit-windows'], {
      K6_BIN: process.execPath,
    })
    const record = await expectNotGreen(ended, 3)
    expect(record.exitReason).toMatch(/E_K6_MISSING/)
    expect(record.nextStep).toMatch(/Install k6 v2\.\d+\.\d+/)
    expect(record.checks.map(({ id, verdict }) => [id, verdict])).toEqual([
      ['auth.missing-key', 'pass'],
    ])
    expect(record.load).toMatchObject([{ scenario: 'rate-limit-windows', verdict: 'untested' }])
  })
})
