import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { HarnessError } from '../../harness/errors.ts'
import { replayCommand } from '../../harness/replay/command.ts'
import { run } from '../verdict/here.ts'
import { closedPort, frontedService, targetOnDisk } from '../verdict/servers.ts'

let directory: string
let file: string
let keys: Readonly<Record<string, string>>

/** A run against a service that takes revoked keys, and that is gone afterwards. */
beforeAll(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'replay-'))
  await using broken = await frontedService(undefined, { faults: ['revoked-key-accepted'] })
  await using target = await targetOnDisk(broken.baseUrl)
  keys = target.env
  const options = ['--target', target.file, '--only', 'auth.revoked-key']
  const record = await (await run('conformance', options, target.env)).record()
  file = path.join(directory, 'run.json')
  await writeFile(file, JSON.stringify(record))
})
afterAll(() => rm(directory, { recursive: true, force: true }))

async function replay(
  args: readonly string[],
  env: Readonly<Record<string, string>> = keys,
): Promise<{ code: number; text: string }> {
  let text = ''
  const out = {
    isTTY: false as const,
    write: (chunk: string | Uint8Array) => {
      text += String(chunk)
      return true
    },
  }
  const code = await replayCommand([file, ...args], env, { out })
  return { code, text }
}

test('a service that is still wrong answers as recorded: 1', async () => {
  await using broken = await frontedService(undefined, { faults: ['revoked-key-accepted'] })
  const { code, text } = await replay(['AUTH-03', '--base-url', broken.baseUrl])
  expect(code).toBe(1)
  expect(text).toMatch(
    /^✕ x\d+ GET .* as revoked\n {4}recorded: HTTP 200 .*\n {4}now: {6}the same: HTTP 200 /m,
  )
  for (const key of Object.values(keys)) expect(text).not.toContain(key)
})

test('a service that was mended answers otherwise: 0', async () => {
  await using mended = await frontedService()
  const { code, text } = await replay(['auth.revoked-key', '--base-url', mended.baseUrl])
  expect(code, text).toBe(0)
  expect(text).toMatch(/recorded: HTTP 200 .*\n {4}now: {6}HTTP 401 /)
})

test('--json prints the answers and nothing else, without a key', async () => {
  await using mended = await frontedService()
  const { code, text } = await replay(['AUTH-03', '--base-url', mended.baseUrl, '--json'])
  const told = JSON.parse(text) as {
    isSame: boolean
    exchanges: { isOffending: boolean; now: { status: number } }[]
  }
  expect(code).toBe(0)
  expect(told.isSame).toBe(false)
  expect(told.exchanges.find(({ isOffending }) => isOffending)?.now.status).toBe(401)
  for (const key of Object.values(keys)) expect(text).not.toContain(key)
})

test.each<[string, readonly string[], Readonly<Record<string, string>> | undefined, string]>([
  ['another requirement', ['CAP-01'], undefined, 'E_USAGE'],
  ['no key', ['AUTH-03'], {}, 'E_TARGET_ENV_MISSING'],
  ['an address that is none', ['AUTH-03', '--base-url', 'staging'], undefined, 'E_USAGE'],
  ['no check', [], undefined, 'E_USAGE'],
])('%s is refused before anything is sent', async (_name, args, env, code) => {
  await expect(replay(args, env)).rejects.toMatchObject({ code, exitCode: 2 })
})

test('a service that is gone: 3', async () => {
  const gone = `http://127.0.0.1:${await closedPort()}`
  const error = await replay(['AUTH-03', '--base-url', gone]).catch((cause: unknown) => cause)
  expect(error).toBeInstanceOf(HarnessError)
  expect(error).toMatchObject({ code: 'E_ENVIRONMENT_UNREACHABLE', exitCode: 3 })
})
