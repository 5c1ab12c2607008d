import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { FAULTS } from '../reference/faults/faults.ts'
import { demoEnvironment } from '../reference/seed.ts'

function start(...parameters: string[]): ChildProcess {
  return spawn(process.execPath, ['scripts/serve.ts', ...parameters], { stdio: 'pipe' })
}

async function ended(child: ChildProcess): Promise<{ code: number; out: string; err: string }> {
  if (child.stdout === null || child.stderr === null) throw new Error('no output to read')
  const [out, err, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit') as Promise<[number]>,
  ])
  return { code, out, err }
}

async function firstLine(child: ChildProcess): Promise<string> {
  if (child.stderr === null) throw new Error('no output to read')
  const [line] = (await once(createInterface(child.stderr), 'line')) as [string]
  return line
}

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
  'serves until %s, then ends with 0',
  async (signal) => {
    const folder = await mkdtemp(join(tmpdir(), 'serve-'))
    const file = join(folder, 'target.json')
    const child = start(
      '--port',
      '0',
      '--control-port',
      '0',
      '--window-seconds',
      '2',
      '--print-target',
      file,
    )
    try {
      const line = await firstLine(child)
      const [baseUrl = ''] = /http:\/\/127\.0\.0\.1:\d+/.exec(line) ?? []
      const key = demoEnvironment()['ORDERING_KEY_FULL'] ?? ''
      const outgoing = request(`${baseUrl}/rate-limits`, { headers: { 'X-API-Key': key } }).end()
      const [response] = (await once(outgoing, 'response')) as [IncomingMessage]
      expect(await text(response)).toContain('"count":1000,"windowSeconds":2')
      await expect.poll(() => readFile(file, 'utf8').catch(() => '')).toContain(baseUrl)
      const done = once(child, 'exit')
      child.kill(signal)
      expect(await done).toEqual([0, null])
    } finally {
      child.kill('SIGKILL')
      await rm(folder, { recursive: true })
    }
  },
)

test('a connection that nobody closes keeps nobody waiting who stopped it', async () => {
  const child = start('--port', '0')
  try {
    const [, port = ''] = /http:\/\/127\.0\.0\.1:(\d+)/.exec(await firstLine(child)) ?? []
    const socket = connect(Number(port), '127.0.0.1')
    let received = ''
    socket.on('error', () => {}).on('data', (chunk) => (received += String(chunk)))
    const closed = new Promise((resolve) => socket.once('close', resolve))
    await once(socket, 'connect')
    socket.write('POST /api/v1/orders HTTP/1.1\r\nHost: here\r\nContent-Length: 10\r\n\r\n{')
    await expect.poll(() => socket.bytesWritten).toBeGreaterThan(0)
    const done = once(child, 'exit')
    child.kill('SIGTERM')
    expect(await done).toEqual([0, null])
    // It did not wait until the request was given up, with an answer.
    await closed
    expect(received).toBe('')
  } finally {
    child.kill('SIGKILL')
  }
})

test('lists every fault with the requirement that it breaks', async () => {
  const { code, out } = await ended(start('--list-faults'))
  expect(code).toBe(0)
  expect(
    out
      .trim()
      .split('\n')
      .map((line) => line.split(' ')[0]),
  ).toEqual(Object.keys(FAULTS))
})

test.each([
  [['--fault', 'nothing'], /"nothing", which does not exist/],
  [['--port', '70000'], /--port 70000; expected a number/],
  [['--window-seconds', '0'], /windowSeconds 0/],
  [['--nonsense'], /--nonsense/],
])('%j ends with 2 and says why', async (parameters, message) => {
  const { code, err } = await ended(start(...parameters))
  expect(code).toBe(2)
  expect(err).toMatch(message)
})

test('prints keys only where it is asked to', async () => {
  const { out } = await ended(start('--help'))
  expect(out).not.toContain('ref_demo')
})
