import { describe, expect, test } from 'vitest'
import { renderEntries } from './entries.ts'

const place = { item: '{{itemId}}', pieces: '{{quantity}}' }
const shared = { referenceId: 'ref-1' }
const one = { itemId: 'a', quantity: 1 }
const two = { itemId: 'b', quantity: 2 }

describe('a template with one list', () => {
  const template = { cart: { id: '{{referenceId}}', lines: [place] }, source: 'shop' }

  test('gets an entry for each set of variables, and keeps the rest', () => {
    expect(renderEntries(template, shared, [one, two])).toEqual({
      body: {
        cart: {
          id: 'ref-1',
          lines: [
            { item: 'a', pieces: 1 },
            { item: 'b', pieces: 2 },
          ],
        },
        source: 'shop',
      },
      count: 2,
      isFixed: false,
    })
  })

  test('has its first entries only, where fewer are asked for', () => {
    const longer = { lines: [place, { ...place, gift: true }] }
    const rendered = renderEntries(longer, shared, [one])
    expect(rendered).toMatchObject({ body: { lines: [{ item: 'a', pieces: 1 }] }, count: 1 })
  })

  test('uses the entry of each position before it repeats the last', () => {
    const mixed = { lines: [place, { ...place, gift: true }] }
    expect(renderEntries(mixed, shared, [one, two, one])?.body).toEqual({
      lines: [
        { item: 'a', pieces: 1 },
        { item: 'b', pieces: 2, gift: true },
        { item: 'a', pieces: 1, gift: true },
      ],
    })
  })

  test('may be the list itself', () => {
    expect(renderEntries([place], shared, [two])?.body).toEqual([{ item: 'b', pieces: 2 }])
  })
})

describe('which list is meant', () => {
  test('entries that vary are meant before entries that do not', () => {
    const template = {
      tags: [{ name: 'load' }],
      owners: [{ ref: '{{referenceId}}' }],
      lines: [place],
    }
    expect(renderEntries(template, shared, [one, two])?.body).toEqual({
      tags: [{ name: 'load' }],
      owners: [{ ref: 'ref-1' }],
      lines: [
        { item: 'a', pieces: 1 },
        { item: 'b', pieces: 2 },
      ],
    })
  })

  test('entries that are spelled out stay as they are', () => {
    const template = {
      ref: '{{referenceId}}',
      lines: [{ item: 'x' }, { item: 'y' }, { item: 'z' }],
    }
    expect(renderEntries(template, shared, [one])).toEqual({
      body: { ref: 'ref-1', lines: [{ item: 'x' }, { item: 'y' }, { item: 'z' }] },
      count: 3,
      isFixed: true,
    })
  })

  test.for([
    ['none', { item: '{{itemId}}' }],
    ['two that vary', { lines: [place], extras: [place] }],
    ['two that are spelled out', { lines: [{ a: 1 }], extras: [{ b: 1 }] }],
    ['an empty one', { lines: [] }],
    ['one of texts', { items: ['{{itemId}}'] }],
    ['no template', undefined],
  ] as const)('cannot be told of %s', ([, template]) => {
    expect(renderEntries(template, shared, [one])).toBeUndefined()
  })
})
