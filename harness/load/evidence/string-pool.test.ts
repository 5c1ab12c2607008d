import { describe, expect, test } from 'vitest'
import { StringPool } from './string-pool.ts'

describe('texts as bytes', () => {
  test('come back as they were, however many there are', () => {
    const pool = new StringPool()
    const texts = Array.from({ length: 30_000 }, (_, number) => `${number} größer als ${number}`)
    const indexes = texts.map((text) => pool.indexOf(text))
    expect(indexes.map((index) => pool.at(index))).toEqual(texts)
    expect(new Set(indexes).size).toBe(texts.length)
  })

  test('none, an empty one and one that is longer than all before', () => {
    const pool = new StringPool()
    for (let number = 0; number < 2000; number++) pool.indexOf(String(number))
    const long = 'x'.repeat(1_000_000)
    for (const text of [undefined, '', long]) expect(pool.at(pool.indexOf(text))).toBe(text)
  })

  test('of any length', () => {
    const pool = new StringPool()
    for (let number = 0; number < 2000; number++) pool.indexOf(String(number))
    const texts = Array.from({ length: 600 }, (_, length) => 'ö'.repeat(length))
    const indexes = texts.map((text) => pool.indexOf(text))
    expect(indexes.map((index) => pool.at(index))).toEqual(texts)
  })

  test('the first of them and those that came a moment ago have one index', () => {
    const pool = new StringPool()
    for (let number = 0; number < 5000; number++) pool.indexOf(String(number))
    for (const text of ['0', '999', '4999']) expect(pool.indexOf(text)).toBe(pool.indexOf(text))
    expect(pool.indexOf(undefined)).toBe(0)
  })
})
