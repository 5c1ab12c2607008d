import { execFile } from 'node:child_process'
import path from 'node:path'
import { expect, test } from 'vitest'

const SCRIPT = path.join(import.meta.dirname, 'requirements.ts')

type Ended = { readonly exitCode: number; readonly out: string; readonly err: string }

function run(...args: string[]): Promise<Ended> {
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [SCRIPT, ...args], (_error, out, err) =>
      resolve({ exitCode: child.exitCode ?? -1, out, err }),
    )
  })
}

test('an area that does not exist is refused with those that do', async () => {
  const { exitCode, out, err } = await run('--area', 'NONSENSE')
  expect(exitCode).toBe(2)
  expect(out).toBe('')
  expect(err).toMatch(/^E_USAGE: There is no area "NONSENSE"\.\nUse one of .*UNHIDE/)
})

test('an option that does not exist is refused', async () => {
  const { exitCode, err } = await run('--nonsense')
  expect(exitCode).toBe(2)
  expect(err).toMatch(/^E_USAGE: .*--nonsense.*--help.* Exit 2\./s)
})

test('JSON of one area has its requirements, questions and counts, and nothing else', async () => {
  const { exitCode, out } = await run('--json', '--area', 'unhide')
  expect(exitCode).toBe(0)
  const { areas, requirements, openQuestions } = JSON.parse(out) as {
    areas: { area: string; requirements: number }[]
    requirements: { id: string }[]
    openQuestions: { area: string }[]
  }
  expect(areas.map(({ area }) => area)).toEqual(['UNHIDE'])
  expect(requirements.length).toBe(areas[0]?.requirements)
  expect(requirements.every(({ id }) => id.startsWith('UNHIDE-'))).toBe(true)
  expect(openQuestions.length).toBeGreaterThan(0)
})
