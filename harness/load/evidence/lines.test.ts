import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { readAsFile } from '../../../test/support/evidence-text.ts'
import { readEvidence } from './lines.ts'
import type { Fields } from './lines.ts'

/** What one line gives when it is read by `read`; undefined if it is refused. */
async function readOne<T>(line: string, read: (fields: Fields) => T): Promise<T | undefined> {
  let value: T | undefined
  try {
    const readLine = (fields: Fields): boolean => {
      value = read(fields)
      return fields.ended
    }
    await readAsFile(`${line}\n`, (file) => readEvidence(file, { interrupted: false, readLine }))
  } catch {
    return undefined
  }
  return value
}

describe('a field', () => {
  test.each([
    ['0', 0],
    ['123456789012345', 123456789012345],
    ['1234567890123456', undefined],
    ['', undefined],
    ['-1', undefined],
    ['1.5', undefined],
    ['1e3', undefined],
    ['1 ', undefined],
    ['1 2', undefined],
    ['NaN', undefined],
  ])('%j as a count is %j', async (line, value) => {
    expect(await readOne(line, (fields) => fields.count())).toBe(value)
  })

  test('above its most is refused', async () => {
    expect(await readOne('7', (fields) => fields.count(7))).toBe(7)
    expect(await readOne('8', (fields) => fields.count(7))).toBeUndefined()
  })

  test.each([
    ['-', [undefined]],
    ['-8', [-8]],
    ['8', [8]],
    ['--8', undefined],
    ['eight', undefined],
  ])('%j as a number is %j', async (line, value) => {
    expect(await readOne(line, (fields) => [fields.number(-99, 99)])).toEqual(value)
  })

  test.each([
    ['-', [undefined]],
    ['a%20b', ['a b']],
    ['%', undefined],
    ['', undefined],
  ])('%j as a text is %j', async (line, value) => {
    expect(await readOne(line, (fields) => [fields.text()])).toEqual(value)
  })

  test.each([
    ['-', [undefined]],
    ['a%20b', ['a%20b']],
    ['-1', ['-1']],
    ['- ', undefined],
    ['', undefined],
  ])('%j as a word or none is %j', async (line, value) => {
    expect(await readOne(line, (fields) => [fields.wordOrNone()])).toEqual(value)
  })

  test('that is missing at the end of a line is refused', async () => {
    expect(await readOne('1', (fields) => [fields.count(), fields.count()])).toBeUndefined()
    expect(await readOne('1', (fields) => [fields.count(), fields.text()])).toBeUndefined()
    expect(await readOne('1', (fields) => [fields.count(), fields.number(-99, 99)])).toBeUndefined()
  })
})

const readLine = (fields: Fields): boolean => fields.word() === 'x' && fields.ended

function cut(interrupted: boolean): Promise<unknown> {
  return readAsFile('x\nx', (file) => readEvidence(file, { interrupted, readLine }))
}

describe('a file', () => {
  test('of many chunks is read line by line, and a malformed line is named by its number', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'evidence-'))
    onTestFinished(() => rm(directory, { recursive: true }))
    const path = join(directory, 'evidence.txt')
    const lines = Array.from({ length: 100_000 }, (_, index) => `${index} ${index * 7}`)
    await writeFile(path, `${lines.join('\n')}\n`)
    let sum = 0
    const readNumbers = (fields: Fields): boolean => {
      sum += fields.count()
      fields.count()
      return fields.ended
    }
    await readEvidence(path, { interrupted: false, readLine: readNumbers })
    expect(sum).toBe((99_999 * 100_000) / 2)
    lines[77_776] = 'x'
    await writeFile(path, lines.join('\n'))
    await expect(readEvidence(path, { interrupted: true, readLine: readNumbers })).rejects.toThrow(
      'Line 77777 of the evidence is malformed: "x".',
    )
  })

  test('whose last line is cut off is accepted from an interrupted k6 only', async () => {
    await cut(true)
    await expect(cut(false)).rejects.toThrow('cut off')
  })
})
