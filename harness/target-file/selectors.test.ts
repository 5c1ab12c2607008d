import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { selectorProblem } from './select.ts'
import { SELECTORS } from './selectors.ts'

const readme = readFileSync(path.join(import.meta.dirname, '../../targets/README.md'), 'utf8')

test('every default is a selector, and every selector is documented', () => {
  for (const [operation, selectors] of Object.entries(SELECTORS))
    for (const [name, { byDefault }] of Object.entries(selectors)) {
      expect(selectorProblem(byDefault ?? ''), `${operation}.${name}`).toBeUndefined()
      const documented = operation === 'rateLimits' ? `<limit>.${name.split('.').at(-1)}` : name
      expect(readme).toContain(`\`${documented}\``)
    }
})
