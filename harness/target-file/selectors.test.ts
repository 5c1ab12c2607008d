import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { selectorProblem } from './select.ts'
import { SELECTORS } from './selectors.ts'

const reference = readFileSync(path.join(import.meta.dirname, '../../targets/REFERENCE.md'), 'utf8')

test('members of members and ranges of numbers are documented', () => {
  for (const name of ['list', 'windowSeconds', 'limit', 'used'])
    expect(reference).toContain(`\n  - \`${name}\`: `)
  expect(reference).toMatch(/`revokedKeyHttpStatus`: .* A number from 400 to 499\./)
})

test('every default is a selector, and every selector is documented', () => {
  for (const [operation, selectors] of Object.entries(SELECTORS))
    for (const [name, { byDefault }] of Object.entries(selectors)) {
      expect(selectorProblem(byDefault ?? ''), `${operation}.${name}`).toBeUndefined()
      const whole = `${operation}.${operation === 'rateLimits' ? 'LIMIT.' : ''}${name.split('.').at(-1)}`
      expect(reference).toContain(`\`${whole}\``)
    }
})
