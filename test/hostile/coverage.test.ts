/** None of the hundred probes is forgotten: each is a row, held by a named test, or said not to be held. */
import { existsSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { ELSEWHERE, NOT_HELD } from './elsewhere.ts'
import { ROWS } from './rows/index.ts'

const ROOT = path.join(import.meta.dirname, '..', '..')
const PROBES = Array.from({ length: 100 }, (_, index) => index + 1)

test('every probe is held, or it is said why not', () => {
  const rows = new Set(ROWS.flatMap(({ probes }) => probes))
  const elsewhere = Object.values(ELSEWHERE).flat()
  const told = Object.keys(NOT_HELD).map(Number)
  const known = new Set([...rows, ...elsewhere, ...told])
  expect(PROBES.filter((probe) => !known.has(probe))).toEqual([])
  // What a row holds needs no excuse.
  expect([...elsewhere, ...told].filter((probe) => rows.has(probe))).toEqual([])
})

test('what is held elsewhere is there', () => {
  expect(Object.keys(ELSEWHERE).filter((file) => !existsSync(path.join(ROOT, file)))).toEqual([])
})
