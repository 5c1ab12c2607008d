/** What `init` asks for, and where it writes nothing. */
import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { demoKey } from '../../reference/seed.ts'
import { answering, closedPort, frontedService } from '../verdict/servers.ts'
import { init } from './making.ts'

function unasked(): Promise<string> {
  return Promise.reject(new Error('asked'))
}

describe.concurrent('what cannot be seen is asked for', () => {
  test('on a terminal: the environment and the products', async () => {
    await using service = await frontedService()
    const questions: string[] = []
    const ask = (question: string): Promise<string> => {
      questions.push(question)
      return Promise.resolve(
        /sandbox/.test(question) ? 'yes' : /"voucher"\?/.test(question) ? '2' : '0',
      )
    }
    await using made = await init(service.baseUrl, [], { ask })
    const file = await made.file()
    expect(file.environment).toBe('sandbox')
    expect(file.products?.['voucher']?.variables?.['itemId']).not.toBe('arcade-1')
    expect(questions[0]).toMatch(
      /Which product is bought as "voucher"\? \(1, or 0 for none\)\n {2}1 {2}arcade-1/,
    )
    expect(questions.length).toBeLessThan(8)
  })

  test('never with --yes', async () => {
    await using service = await frontedService()
    await using made = await init(
      service.baseUrl,
      ['--yes', '--environment', 'sandbox', '--product', 'voucher=arcade-5', '--product', 'dtu='],
      { ask: unasked },
    )
    expect(made.code, made.out).toBe(0)
    const file = await made.file()
    expect(file).toMatchObject({
      environment: 'sandbox',
      products: { voucher: { unitPrice: '5.00' } },
    })
    expect(file.products?.['dtu']).toBeUndefined()
  })
})

describe.concurrent('nothing is written', () => {
  test('where the port is closed, or another service answers or redirects', async () => {
    await using closed = await init(`http://127.0.0.1:${await closedPort()}`)
    expect(closed).toMatchObject({
      code: 3,
      out: expect.stringContaining('E_ENVIRONMENT_UNREACHABLE'),
    })
    await using server = await answering((_request, response) => response.end('<html>'))
    await using other = await init(server.baseUrl)
    expect(other).toMatchObject({ code: 3, out: expect.stringContaining('E_ENVIRONMENT_STRANGER') })
    await expect(other.file()).rejects.toThrow('ENOENT')
    const to = { location: 'https://orders.example/' }
    await using plain = await answering((_request, response) => response.writeHead(301, to).end())
    await using redirected = await init(plain.baseUrl)
    expect(redirected.out).toContain('redirects to (https://orders.example/)')
  })

  test('where nothing answers, and one request is enough to see it', async () => {
    let asked = 0
    await using server = await answering((_request, response) => {
      asked += 1
      response.destroy()
    })
    await using made = await init(server.baseUrl)
    expect(made).toMatchObject({
      code: 3,
      out: expect.stringMatching(/E_ENVIRONMENT_UNREACHABLE.*1 request sent; nothing was bought/s),
    })
    expect(asked).toBe(1)
  })

  test.each(['revoked', 'blocked'] as const)('with a key that is %s', async (role) => {
    await using service = await frontedService()
    const env = { ORDERING_KEY: demoKey(role) }
    await using made = await init(service.baseUrl, [], { env })
    expect(made).toMatchObject({ code: 3, out: expect.stringContaining('E_ENVIRONMENT_KEY') })
    await expect(made.file()).rejects.toThrow('ENOENT')
  })

  test('over a file that is there', async () => {
    await using service = await frontedService()
    await using made = await init(service.baseUrl)
    const before = await readFile(made.path, 'utf8')
    await using again = await init(service.baseUrl, ['--out', made.path])
    expect(again).toMatchObject({ code: 2, out: expect.stringContaining('exists already') })
    expect(await readFile(made.path, 'utf8')).toBe(before)
  })

  test.each([
    [['--product', 'voucher=arcade-11'], /the catalog has no such item.*Did you mean/s],
    [['--product', 'voucher-lng=x'], /Did you mean "voucher-long"\?/],
    [
      ['--path', 'getItem=/x/{line}/{code}'],
      /names the variable "line", which no product has.*\{serviceId\} and \{itemId\}/s,
    ],
    [['--path', 'getItem'], /Write --path NAME=VALUE|Did you mean "getItem"/],
    [['--target', 'x.json'], /--target was given/],
    [['--key', 'siblin=KEY_MORE'], /--key was .*Did you mean "sibling"\?/s],
    [['--key', 'sibling=KEY_OF_NOBODY'], /no such variable is set/],
    [['--key', 'sibling=ORDERING_KEY'], /have the same key/],
  ])('%s', async (more, sentence) => {
    await using service = await frontedService()
    await using made = await init(service.baseUrl, more)
    expect(made.code).toBe(2)
    expect(made.out).toMatch(sentence)
    await expect(made.file()).rejects.toThrow('ENOENT')
  })
})
