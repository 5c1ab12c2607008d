import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished, test } from 'vitest'
import { controlClient } from './control-client.ts'

const SPEC = { keys: { a: { scopes: ['product:read'] } } } as const

async function controlSide(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test('an account whose identifier is a number is named by its text', async ({ expect }) => {
  const url = await controlSide((_, response) =>
    response.end('{"account":17,"keys":{"a":{"key":"s"}}}'),
  )
  expect(await controlClient(url, undefined).createAccount(SPEC)).toEqual({
    account: '17',
    keys: { a: { key: 's' } },
  })
})

test('an answer that comes too late is asked for again', async ({ expect }) => {
  let requests = 0
  const url = await controlSide((_, response) => {
    requests += 1
    if (requests > 1) response.end('{"account":"a1","keys":{"a":{"key":"s"}}}')
  })
  const made = await controlClient(url, undefined, 100).createAccount(SPEC)
  expect([made.account, requests]).toEqual(['a1', 2])
})

test.for(['{"keys":{}}', '{"account":"a1"}', 'made'])(
  'an answer without an account or its keys says what was expected: %s',
  async (answer, { expect }) => {
    const url = await controlSide((_, response) => response.end(answer))
    await expect(controlClient(url, undefined).createAccount(SPEC)).rejects.toThrow(
      `did not make an account: expected "account" and "keys", got ${answer}`,
    )
  },
)
