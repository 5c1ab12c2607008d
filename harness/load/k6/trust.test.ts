import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { trustEnvironment } from './trust.ts'

let directory = ''
beforeEach(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'harness-trust-'))
})
afterEach(() => rm(directory, { recursive: true, force: true }))

test('authorities that Node was given are given to k6, with those that both know', async () => {
  const env = await trustEnvironment(directory, { NODE_EXTRA_CA_CERTS: 'extra.pem' })
  const file = env['SSL_CERT_FILE'] ?? ''
  expect(path.dirname(file)).toBe(directory)
  expect((await readFile(file, 'utf8')).match(/BEGIN CERTIFICATE/g)?.length).toBeGreaterThan(50)
})

test('what Go was told of stays', async () => {
  const own = path.join(directory, 'own.pem')
  await writeFile(own, 'of Go alone')
  const env = await trustEnvironment(directory, {
    NODE_EXTRA_CA_CERTS: 'extra.pem',
    SSL_CERT_FILE: own,
  })
  expect(await readFile(env['SSL_CERT_FILE'] ?? '', 'utf8')).toMatch(
    /CERTIFICATE-----\s+of Go alone$/,
  )
})

test.each([
  ['nothing extra is trusted', {}],
  ['the variable is empty', { NODE_EXTRA_CA_CERTS: '' }],
  ['only Go was told of some', { SSL_CERT_FILE: 'b.pem' }],
])('nothing is written where %s', async (_what, env) => {
  expect(await trustEnvironment(directory, env)).toEqual({})
  expect(await readdir(directory)).toEqual([])
})
