import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { ALL_CHECKS, ALL_INVARIANTS } from '../../conformance/registry.ts'
import { circlesIn, importsOf, secondLevelOf } from './imports.ts'

const ROOT = path.join(import.meta.dirname, '..', '..')
const imports = importsOf(ROOT)

/** Each folder of harness/ imports only from folders that stand before it. */
const LAYERS = [
  'network',
  'schema',
  'target-file',
  'purchases',
  'accounts',
  'client',
  'quota',
  'test-server',
  'judge',
  'mistakes',
  'record',
  'baseline',
  'report',
  'load',
  'plan',
  'k8s',
  'replay',
  'gate',
  'capacity',
  'verify',
  'try',
  'init',
]

function layerOf(file: string): number {
  const [top, folder = ''] = file.split('/')
  if (top !== 'harness' || folder.endsWith('.ts')) return -1
  const layer = LAYERS.indexOf(folder)
  if (layer < 0) throw new Error(`harness/${folder} has no place in LAYERS`)
  return layer
}

const CHECK_FILES = 'conformance/*/*.check.ts'
const LOAD_FILES = 'harness/load/*/**'

/** What checks of several areas may import. */
function isShared(file: string): boolean {
  return /^conformance\/(?:engine|steps)\//.test(file)
}

describe('imports between folders, types included', () => {
  test('are found at all', () => {
    expect(imports).toContainEqual({
      from: 'harness/judge/causes.ts',
      to: 'harness/client/exchange.ts',
    })
  })

  test('run in no circle', () => {
    expect(circlesIn(imports)).toEqual([])
    expect(circlesIn(imports, secondLevelOf)).toEqual([])
  })

  test('a circle is told by each import that closes it', () => {
    const circle = [
      { from: 'a/one.ts', to: 'b/two.ts' },
      { from: 'b/two.ts', to: 'c/three.ts' },
      { from: 'c/three.ts', to: 'a/one.ts' },
      { from: 'd/four.ts', to: 'a/one.ts' },
      { from: 'a/one.ts', to: 'a/five.ts' },
    ]
    expect(circlesIn(circle).map((each) => each.split(':')[0])).toEqual([
      'a -> b',
      'b -> c',
      'c -> a',
    ])
  })

  test('a circle of folders at the second level needs none below it', () => {
    const circle = [
      { from: 'a/b/deep/one.ts', to: 'a/c/two.ts' },
      { from: 'a/c/two.ts', to: 'a/b/three.ts' },
    ]
    expect(circlesIn(circle)).toEqual([])
    expect(circlesIn(circle, secondLevelOf).length).toBe(2)
  })

  test('of harness/ go down the layers only', () => {
    const upwards = imports.filter(
      ({ from, to }) => from.startsWith('harness/') && layerOf(to) > layerOf(from),
    )
    expect(upwards).toEqual([])
  })
})

type Override = {
  readonly files: readonly string[]
  readonly excludeFiles?: readonly string[]
  readonly rules?: unknown
}
const { overrides } = JSON.parse(readFileSync(path.join(ROOT, '.oxlintrc.json'), 'utf8')) as {
  readonly overrides: readonly Override[]
}

function overrideOf(glob: string): Override | undefined {
  return overrides.find(({ files }) => files.includes(glob))
}

describe('the boundaries of the linter', () => {
  test('name each area of conformance/, and none that is gone', () => {
    const rules = overrideOf(CHECK_FILES)?.rules
    const [, areas = ''] = /\^\\+\.\\+\.\/\((.*?)\)/.exec(JSON.stringify(rules)) ?? []
    const folders = readdirSync(path.join(ROOT, 'conformance'), { withFileTypes: true })
      .filter((each) => each.isDirectory() && !isShared(`conformance/${each.name}/`))
      .map(({ name }) => name)
    expect(areas.split('|').toSorted()).toEqual(folders.toSorted())
  })

  test('hold all of harness/load/ but files that still take accounts or start k6', () => {
    const named = overrideOf(LOAD_FILES)?.excludeFiles?.filter((each) => !each.includes('*'))
    const needed = imports
      .filter(({ to }) => /^harness\/(?:accounts|load\/k6)\//.test(to))
      .map(({ from }) => from)
      .filter((from) => /^harness\/load\/(?!k6\/|prepared\/)[^/]+\//.test(from))
    expect(named?.toSorted()).toEqual([...new Set(needed)].toSorted())
  })
})

describe('conformance/', () => {
  test('a check imports from no other area', () => {
    const astray = imports.filter(
      ({ from, to }) =>
        from.endsWith('.check.ts') &&
        to.startsWith('conformance/') &&
        path.dirname(from) !== path.dirname(to) &&
        !isShared(to),
    )
    expect(astray).toEqual([])
  })

  test('areas hold checks alone: what they share lies in steps/', () => {
    const files = new Set(imports.flatMap(({ from, to }) => [from, to]))
    const others = [...files].filter(
      (file) =>
        /^conformance\/[^/]+\//.test(file) && !isShared(file) && !file.endsWith('.check.ts'),
    )
    expect(others).toEqual([])
  })

  test('a check file exports checks and invariants alone, and the registry has them all', async () => {
    const files = [...new Set(imports.map(({ from }) => from))].filter((file) =>
      file.endsWith('.check.ts'),
    )
    const exported: unknown[] = []
    for (const file of files) exported.push(...Object.values(await import(path.join(ROOT, file))))
    const registered = new Set<unknown>([...ALL_CHECKS, ...ALL_INVARIANTS])
    expect(exported.filter((each) => !registered.has(each))).toEqual([])
    expect(exported.length).toBe(registered.size)
  })
})
