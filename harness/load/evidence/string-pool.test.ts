import { describe, expect, test } from 'vitest'
import { StringPool } from './string-pool.ts'

describe('texts as bytes', () => {
  test('come back as they were, however many there are', () => {
    const arena = new StringPool()
    const texts = Array.from({ length: 30_000 }, (_, number) => `${number} größer als ${number}`)
    const indexes = texts.map((text) => arena.indexOf(text))
    expect(indexes.map((index) => arena.at(index))).toEqual(texts)
    expect(new Set(indexes).size).toBe(texts.length)
  })

  test('none, an empty one and one that is longer than all before', () => {
    const arena = new StringPool()
    for (let number = 0; number < 2000; number++) arena.indexOf(String(number))
    const long = 'x'.repeat(1_000_000)
    for (const text of [undefined, '', long]) expect(arena.at(arena.indexOf(text))).toBe(text)
  })

  test('of any length', () => {
    const arena = new StringPool()
    for (let number = 0; number < 2000; number++) arena.indexOf(String(number))
    const texts = Array.from({ length: 600 }, (_, length) => 'ö'.repeat(length))
    const indexes = texts.map((text) => arena.indexOf(text))
    expect(indexes.map((index) => arena.at(index))).toEqual(texts)
  })

  test('the first of them and those that came a moment ago have one index', () => {
    const arena = new StringPool()
    for (let number = 0; number < 5000; number++) arena.indexOf(String(number))
    for (const text of ['0', '999', '4999']) expect(arena.indexOf(text)).toBe(arena.indexOf(text))
    expect(arena.indexOf(undefined)).toBe(0)
  })
})
