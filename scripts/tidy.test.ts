import { describe, expect, it } from 'vitest'
import { complaintsAbout } from './tidy-rules.ts'

describe('tidy', () => {
  it.each([
    ['a.test.ts', 'it.only("x", () => {})', 'focused'],
    ['a.test.ts', 'test.todo("x")', 'unwritten'],
    ['a.test.ts', '{ retry: 2 }', 'flake'],
    ['a.ts', '// TODO later', 'unfinished'],
    ['README.md', 'see /home/someone/x', 'path of one machine'],
    ['package-lock.json', '"resolved": "https://registry.example/x.tgz"', 'lock file'],
    ['a.ts', '// oxlint-disable-next-line no-console', 'without a reason'],
    ['a.ts', 'x\n'.repeat(500), 'seam'],
  ])('complains about %s: %j', (file, text, complaint) => {
    expect(complaintsAbout(file, text).join()).toContain(complaint)
  })

  it('is content with ordinary files', () => {
    expect(complaintsAbout('a.ts', 'const path = "/api/v1/orders"\n')).toEqual([])
    expect(
      complaintsAbout('a.ts', '// oxlint-disable-next-line no-console -- a script speaks\n'),
    ).toEqual([])
  })
})
