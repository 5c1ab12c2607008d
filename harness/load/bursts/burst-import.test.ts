import { readAsFile } from '../../../test/support/evidence-text.ts'
import { describe, expect, test } from 'vitest'
import { importBursts } from './burst-import.ts'
import { arrivalSpreadMsMax, releasesOf } from './burst-proof.ts'

const parse = (text: string, reading: Parameters<typeof importBursts>[1]) =>
  readAsFile(text, (file) => importBursts(file, reading))

const BOUGHT = 'o 0 1 1 1 7 2 1000 13000 8000 200 0 - - order%201 2.00 USD SUCCESS - r'
const CONTENDED = 'o 0 1 1 1 8 2 1000 13000 2000 429 8 1 contention - - - - - r'
const READ = 'o 0 0 2 2 7 0 20000 23000 2500 200 0 - - order%201 2.00 USD SUCCESS 1 n'
const END = 'f 0 3 done'
const OPTIONS = { scripts: 1, interrupted: false }

function text(...lines: string[]): string {
  return `${lines.join('\n')}\n`
}

test('every field of an exchange is read', async () => {
  const { scripts } = await parse(text(BOUGHT, CONTENDED, READ, END), OPTIONS)
  expect(scripts[0]?.end).toBe('done')
  const [bought, contended, read] = scripts[0]?.exchanges ?? []
  expect(bought).toEqual({
    script: 0,
    key: 1,
    phase: 'burst',
    kind: 'buy',
    reference: 7,
    units: 2,
    sentMs: 1,
    receivedMs: 13,
    durationMs: 8,
    status: 200,
    code: 0,
    orderId: 'order 1',
    price: '2.00',
    currency: 'USD',
    state: 'SUCCESS',
    newConnection: false,
  })
  expect(contended).toMatchObject({ status: 429, code: 8, retryAfter: '1' })
  expect(contended).not.toHaveProperty('orderId')
  expect(read).toMatchObject({
    phase: 'read-contended',
    kind: 'masked',
    items: 1,
    newConnection: true,
  })
})

test('a checkout names all of its orders, and a read the state of each', async () => {
  const cart = BOUGHT.replace('order%201', 'first,second')
  const both = READ.replace('SUCCESS 1 n', 'SUCCESS,IN_PROGRESS 2 n')
  const { scripts } = await parse(text(cart, both), OPTIONS)
  const [bought, read] = scripts[0]?.exchanges ?? []
  expect(bought).toMatchObject({ orders: 2 })
  expect(read).toMatchObject({ items: 2, state: 'SUCCESS,IN_PROGRESS' })
  expect(read).not.toHaveProperty('orders')
})

describe('evidence that cannot be trusted is refused:', () => {
  test.each([
    ['a cut line', `${BOUGHT}\no 0 1`, 'cut off'],
    ['a missing field', text('o 0 1 1 1 7 2 1000', END), 'malformed'],
    ['an unknown phase', text(BOUGHT.replace('o 0 1 1', 'o 0 1 99')), 'malformed'],
    ['an unknown script', text(BOUGHT.replace('o 0', 'o 3')), 'malformed'],
    ['a receiving before the sending', text(BOUGHT.replace('13000', '900')), 'malformed'],
    ['fewer exchanges than announced', text(BOUGHT, END), 'sent 3 requests'],
    ['nothing', '', 'without one exchange'],
  ])('%s', async (_, evidence, reason) => {
    await expect(parse(evidence, OPTIONS)).rejects.toThrow(reason)
  })
})

test('what a killed k6 leaves is read as far as it goes', async () => {
  const { scripts } = await parse(`${BOUGHT}\no 0 1`, { scripts: 1, interrupted: true })
  expect(scripts[0]?.exchanges).toHaveLength(1)
  expect(scripts[0]).not.toHaveProperty('end')
})

function together(...durations: number[]): string[] {
  return durations.map((each) => BOUGHT.replace(' 8000 ', ` ${1000 * each} `))
}

async function releases(...durations: number[]): Promise<ReturnType<typeof releasesOf>> {
  const { scripts } = await parse(text(...together(...durations)), OPTIONS)
  return releasesOf(scripts[0]?.exchanges ?? [])
}

test('two requests overlap for certain if their span is shorter than both together', async () => {
  const [one] = await releases(10, 3, 3, 2)
  expect(one).toMatchObject({ overlappingPairs: 2, inFlightMin: 2 })
  const [two] = await releases(7, 7, 7)
  expect(two).toMatchObject({ overlappingPairs: 3, inFlightMin: 3 })
  expect(two && arrivalSpreadMsMax(two)).toBe(5)
  expect((await releases(4, 4, 4, 1))[0]).toMatchObject({ overlappingPairs: 1, inFlightMin: 2 })
  expect((await releases(4, 4, 4))[0]).toMatchObject({ overlappingPairs: 0, inFlightMin: 1 })
})
