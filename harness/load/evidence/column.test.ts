import { describe, expect, test } from 'vitest'
import { Column } from './column.ts'

describe('a column', () => {
  test('grows and keeps what was pushed', () => {
    const column = new Column('uint16', 1)
    for (let value = 0; value < 1000; value++) column.push(value)
    expect(column.length).toBe(1000)
    expect([...column.values()]).toEqual(Array.from({ length: 1000 }, (_, value) => value))
    column.push(7)
    expect(column.values().at(-1)).toBe(7)
  })

  test('of no rows has no values', () => {
    expect(new Column('float64', 0).values()).toHaveLength(0)
  })

  test('that began without room grows too', () => {
    const column = new Column('float64', 0)
    column.push(1.5)
    column.push(2.5)
    expect([...column.values()]).toEqual([1.5, 2.5])
  })
})
