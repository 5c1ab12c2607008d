/** None of the hundred probes is forgotten: each is a row, or held by a named test. `npm run probes` carries all of them out. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { ELSEWHERE } from './elsewhere.ts'
import { ROWS } from './rows/index.ts'

const ROOT = path.join(import.meta.dirname, '..', '..')
const PROBES = Array.from({ length: 100 }, (_, index) => index + 1)

test('every probe is held', () => {
  const rows = new Set(ROWS.flatMap(({ probes }) => probes))
  const elsewhere = Object.values(ELSEWHERE).flatMap((titles) => Object.values(titles).flat())
  const known = new Set([...rows, ...elsewhere])
  expect(PROBES.filter((probe) => !known.has(probe))).toEqual([])
  // What a row holds needs no excuse.
  expect(elsewhere.filter((probe) => rows.has(probe))).toEqual([])
})

test.each(Object.entries(ELSEWHERE))('%s has the tests that hold probes', (file, titles) => {
  const text = readFileSync(path.join(ROOT, file), 'utf8')
  expect(Object.keys(titles).filter((title) => !text.includes(`'${title}'`))).toEqual([])
})
