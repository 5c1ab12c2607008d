/** None of the hundred probes is forgotten: each is a row, or held by a named test. */
import { existsSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { ELSEWHERE } from './elsewhere.ts'
import { ROWS } from './rows/index.ts'

const ROOT = path.join(import.meta.dirname, '..', '..')
const PROBES = Array.from({ length: 100 }, (_, index) => index + 1)

test('every probe is held', () => {
  const rows = new Set(ROWS.flatMap(({ probes }) => probes))
  const elsewhere = Object.values(ELSEWHERE).flat()
  const known = new Set([...rows, ...elsewhere])
  expect(PROBES.filter((probe) => !known.has(probe))).toEqual([])
  // What a row holds needs no excuse.
  expect(elsewhere.filter((probe) => rows.has(probe))).toEqual([])
})

test('what is held elsewhere is there', () => {
  expect(Object.keys(ELSEWHERE).filter((file) => !existsSync(path.join(ROOT, file)))).toEqual([])
})
