/** What `try` shows of one request, and that nothing is bought unasked. */
import { describe, expect, test } from 'vitest'
import { tryCommand } from '../../harness/try/command.ts'
import { demoKey } from '../../reference/seed.ts'
import {
  answering,
  closedPort,
  frontedService,
  targetOnDisk,
  type FrontedService,
} from '../verdict/servers.ts'
import { look, type Looked } from '../verify/looking.ts'

type File = { operations: Record<string, { selectors: Record<string, string> }> }

async function tried(
  service: FrontedService,
  argv: readonly string[],
  change: (file: File) => void = () => {},
  ask?: (question: string) => Promise<string>,
): Promise<Looked> {
  await using target = await targetOnDisk(service.baseUrl, (file) => {
    const changed = structuredClone(file) as File
    change(changed)
    return changed
  })
  const looked = await look(tryCommand, [...argv, '--target', target.file], target.env, ask)
  for (const secret of Object.values(target.env)) expect(looked.out).not.toContain(secret)
  return looked
}

const bodyOf = ({ seen }: FrontedService): Record<string, unknown> =>
  JSON.parse(seen.at(-1)?.request.body ?? '') as Record<string, unknown>

const posts = ({ seen }: FrontedService): string[] =>
  seen.filter(({ request }) => request.method === 'POST').map(({ request }) => request.url)

describe.concurrent('one request', () => {
  test('request, answer and what each selector finds', async () => {
    await using service = await frontedService()
    const { code, out } = await tried(service, ['whoami'])
    expect(code).toBe(0)
    expect(out).toMatch(/^GET http:\/\/127\.0\.0\.1:\d+\/whoami\n/)
    expect(out).toContain('x-api-key: «x-api-key»')
    expect(out).toMatch(/HTTP 200 after \d+ ms/)
    expect(out).toMatch(/Selectors\n {2}address {2}\/data\/\w+\n +"127\.0\.0\.1"/)
    expect(service.seen).toHaveLength(1)
  })

  test('a wrong selector is told with the place where it goes astray', async () => {
    await using service = await frontedService()
    const { code, out } = await tried(service, ['listServices', '--set', 'limit=1'], (file) => {
      const { selectors } = file.operations['listServices'] as File['operations'][string]
      selectors['total'] = '/data/totl'
    })
    expect(code).toBe(5)
    expect(out).toContain('/data/totl finds nothing: how many products match the filters')
    expect(out).toMatch(/→ "\/data" has .*; did you mean \/data\/total\?/)
    expect(service.seen[0]?.request.url).toContain('limit=1')
  })

  test('a refusal is shown, and is no success', async () => {
    await using service = await frontedService()
    const { code, out } = await tried(service, ['listServices', '--role', 'poller'])
    expect(code).toBe(5)
    expect(out).toContain('HTTP 403 after')
  })

  test('a product fills the templates; the first that can does', async () => {
    await using service = await frontedService()
    const { code, out } = await tried(service, ['getItem'])
    expect(code, out).toBe(0)
    expect(service.seen[0]?.request.url).toContain('arcade-1')
    const { code: other } = await tried(service, ['getItem', '--product', 'esim'])
    expect(other).toBe(0)
    expect(service.seen[1]?.request.url).toContain('esim-europe-1gb')
  })

  test('what an answer rightly lacks is no lost selector', async () => {
    await using service = await frontedService()
    const { code, out } = await tried(service, ['listServices'])
    expect(code, out).toBe(0)
    expect(out).toContain('finds nothing: an answer has it only with limit or offset')
    const none = await tried(service, ['getOrders', '--set', 'orderId=none'])
    expect(none.code, none.out).toBe(0)
    expect(none.out).toMatch(/items" holds a list of 0, so there is nothing to find/)
  })

  test('no answer', async () => {
    const port = await closedPort()
    const env = { ORDERING_KEY: demoKey('full') }
    const argv = ['whoami', '--base-url', `http://127.0.0.1:${port}`]
    const { code, out } = await look(tryCommand, argv, env)
    expect(code).toBe(3)
    expect(out).toContain('no answer: ECONNREFUSED')
  })

  test('an answer that is no JSON, and moves no cursor', async () => {
    await using server = await answering((_request, response) => response.end('\u001b[2Jpage'))
    const argv = ['whoami', '--base-url', server.baseUrl]
    const { out } = await look(tryCommand, argv, { ORDERING_KEY: demoKey('full') })
    expect(out).toContain('\\u{1b}[2Jpage')
    expect(out).not.toContain('\u001b')
  })
})

describe.concurrent('a purchase', () => {
  test('is not sent without a terminal or the option', async () => {
    await using service = await frontedService()
    for (const argv of [
      ['createOrder'],
      ['createCart'],
      ['createOrder', '--kind', 'dtu-check', '--product', 'dtu'],
    ]) {
      const { code, out } = await tried(service, argv)
      expect(code).toBe(2)
      expect(out).toMatch(/E_PERMISSION: a (purchase|check) of .* was not permitted/)
    }
    expect(posts(service)).toEqual([])
  })

  test('is asked for with its price, and sent once after a yes', async () => {
    await using service = await frontedService()
    const questions: string[] = []
    const answer = (text: string) => (question: string) => {
      questions.push(question)
      return Promise.resolve(text)
    }
    expect((await tried(service, ['createOrder'], undefined, answer('no'))).code).toBe(2)
    expect(posts(service)).toEqual([])
    const { code, out } = await tried(service, ['createOrder'], undefined, answer('yes'))
    expect(code, out).toBe(0)
    expect(posts(service)).toEqual(['/api/v1/orders'])
    expect(questions[0]).toMatch(
      /^This sends a purchase of "voucher" for USD 1\.00, to http:.*\(yes\/no\) $/,
    )
    expect(out).toMatch(/codes {2,}\$\.data\.result\.vouchers\[\*\]\.pin\n +"«pin»"/)
  })

  test.each([
    [['createOrder', '--product', 'esim'], '/api/v1/orders'],
    [['createOrder', '--product', 'dtu'], '/api/v1/orders'],
    [['createOrder', '--product', 'dtu', '--kind', 'dtu-check'], '/api/v1/orders'],
    [['createCart'], '/carts'],
  ])('%s with --allow-purchases', async (argv, url) => {
    await using service = await frontedService()
    const { code, out } = await tried(service, [...argv, '--allow-purchases'])
    expect(code, out).toBe(0)
    expect(out).toMatch(/HTTP 20[012]/)
    expect(posts(service)).toEqual([url])
  })
})

describe.concurrent('the values of the templates', () => {
  type Products = { products: Record<string, { variables: Record<string, unknown> }> }
  const withAmount = (file: File): void => {
    const { products } = file as unknown as Products
    Object.assign(products['dtu']?.variables ?? {}, { amount: 5 })
  }

  test('the amount of the product stands, unless another is set', async () => {
    await using service = await frontedService()
    const argv = ['createOrder', '--product', 'dtu', '--allow-purchases']
    await tried(service, argv, withAmount)
    expect(bodyOf(service)['amount']).toBe(5)
    await tried(service, [...argv, '--set', 'amount=7.5'], withAmount)
    expect(bodyOf(service)['amount']).toBe(7.5)
    await tried(service, argv)
    expect(bodyOf(service)['amount']).toBe(1)
  })

  test('where the service refuses an amount that nobody gave, it is said how to give one', async () => {
    await using service = await frontedService()
    const argv = ['createOrder', '--product', 'quantity', '--allow-purchases']
    const refused = await tried(service, argv)
    expect(refused.code).toBe(5)
    expect(refused.out).toContain('The amount was 1, since neither the product nor --set gives one')
    const { code, out } = await tried(service, [...argv, '--set', 'amount=10'])
    expect(code, out).toBe(0)
    expect(out).not.toContain('The amount was')
  })

  test.each([
    [['createOrder', '--set', 'quantity=12'], 'USD 12.00 (12 at 1.00)'],
    [['createOrder', '--product', 'quantity', '--set', 'amount=50'], 'USD 1.00 (50 at 0.02)'],
    [['createOrder', '--set', 'quantity=many'], 'a price that the file does not state'],
  ])('the price that is asked for is that of all: %s', async (argv, price) => {
    await using service = await frontedService()
    const questions: string[] = []
    await tried(service, argv, undefined, (question) => {
      questions.push(question)
      return Promise.resolve('no')
    })
    expect(questions[0]).toContain(` for ${price}, to http:`)
  })

  test.each([
    ['quantity=2', 2],
    ['quantity=true', true],
    ['quantity=null', null],
    ['quantity="2"', '2'],
    ['quantity=007', '007'],
    ['quantity=two', 'two'],
    ['itemId=5', '5'],
  ])('--set %s', async (text, expected) => {
    await using service = await frontedService()
    await tried(service, ['createOrder', '--allow-purchases', '--set', text])
    expect(bodyOf(service)[text.split('=')[0] ?? '']).toBe(expected)
  })

  test('a cart takes a quantity, and says what else it does not take', async () => {
    await using service = await frontedService()
    await tried(service, ['createCart', '--allow-purchases', '--set', 'quantity=3'])
    expect(JSON.stringify(bodyOf(service))).toContain('"quantity":3')
    const { code, out } = await tried(service, [
      'createCart',
      '--allow-purchases',
      '--set',
      'itemId=x',
    ])
    expect(code).toBe(2)
    expect(out).toContain('--set itemId is no variable of createCart')
  })
})

describe.concurrent('what the command line does not say', () => {
  test.each([
    [['whoam'], /operation was "whoam".*Did you mean "whoami"\?/s],
    [[], /0 operations were given/],
    [['whoami', 'listServices'], /2 operations were given/],
    [['whoami', '--role', 'fulll'], /Did you mean "full"\?/],
    [['getItem', '--product', 'vouchr'], /Did you mean "voucher"\?/],
    [['getItem', '--product', 'platform-gift'], /has no product "platform-gift"/],
    [
      ['createOrder', '--product', 'voucher', '--kind', 'platform-gift', '--allow-purchases'],
      /A template names the variable/,
    ],
    [['getOrders', '--set', 'orderId'], /Write --set NAME=VALUE/],
    [['getItem', '--set', 'itemid=x'], /no variable of getItem.*Did you mean "itemId"\?/s],
  ])('%s', async (argv, sentence) => {
    await using service = await frontedService()
    const { code, out } = await tried(service, argv)
    expect(code).toBe(2)
    expect(out).toMatch(sentence)
    expect(service.seen).toEqual([])
  })

  test('a path that is not known', async () => {
    await using service = await frontedService()
    const argv = ['getItem', '--base-url', service.baseUrl]
    const { code, out } = await look(tryCommand, argv, { ORDERING_KEY: demoKey('full') })
    expect(code).toBe(2)
    expect(out).toContain(
      'Give operations.getItem.path in the target file; npm run init looks for it.',
    )
  })
})
