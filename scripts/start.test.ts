import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

const LINES = /^(?:await (?:guarded|command|start)\(|endSoon\(\)$)/m

/** What a command line, a step of `npm run check` or a sub-command of the package starts. */
function started(): string[] {
  const text = ['../package.json', 'check.ts', 'ordering-harness.ts']
    .map((file) => readFileSync(path.join(import.meta.dirname, file), 'utf8'))
    .join('\n')
  const named = [
    ...text.matchAll(
      /node scripts\/([\w-]+\.ts)|'scripts\/([\w-]+\.ts)'|import\('\.\/([\w-]+\.ts)'\)/g,
    ),
  ]
  return [...new Set(named.map(([, ...groups]) => groups.find(Boolean) ?? ''))].toSorted()
}

test('every command ends 5 s after its verdict, whatever is still open', () => {
  const commands = started()
  expect(commands.length).toBeGreaterThan(25)
  expect(readdirSync(import.meta.dirname)).toEqual(expect.arrayContaining(commands))
  const open = commands.filter(
    (file) => !LINES.test(readFileSync(path.join(import.meta.dirname, file), 'utf8')),
  )
  expect(open).toEqual([])
})
