/** What axe finds in the reports, in every form in which they are read. Nothing is left out of its rules. */
import path from 'node:path'
import axe from 'axe-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Browser, CHROMIUM_PATH, HAS_CHROMIUM } from './screenshot.ts'

const SAMPLES = path.join(import.meta.dirname, '../../reports/samples')
const HEIGHT_PX_MAX = 12_000

let browser: Browser | undefined

beforeAll(async () => {
  if (HAS_CHROMIUM) browser = await Browser.start()
})
afterAll(() => browser?.[Symbol.asyncDispose]())

/** Each width, scheme and medium twice; the rest of their combinations has rules of its own for none of them. */
const VIEWS = [
  { width: 1280, dark: false, print: false },
  { width: 420, dark: true, print: false },
  { width: 1280, dark: true, print: true },
  { width: 420, dark: false, print: true },
]

/** A run that passes shows nothing that these do not. */
const SHOWN = ['failure', 'load', 'capacity']

/** Unfolds everything: what is folded is looked at too. */
const RUN_AXE = `(async () => {
  ${axe.source}
  for (const fold of document.querySelectorAll('details')) fold.open = true
  const { violations } = await axe.run(document)
  return violations.map(({ id, help, nodes }) => id + ': ' + help + ' ' + nodes[0].html.slice(0, 200))
})()`

describe.skipIf(!HAS_CHROMIUM)(`reports in ${CHROMIUM_PATH}`, () => {
  describe.each(SHOWN)('the sample %s', (sample) => {
    const page = path.join(SAMPLES, sample, 'index.html')

    test.each(VIEWS)(
      'has nothing that axe finds at $width px, dark: $dark, print: $print',
      async (view) => {
        const found = await browser?.view(page, view, (shown) => shown.evaluate<string[]>(RUN_AXE))
        expect(found).toEqual([])
      },
    )

    test('is short while nothing is unfolded', async () => {
      const height = `document.documentElement.scrollHeight`
      const view = { width: 1280, dark: false }
      const px = await browser?.view(page, view, (shown) => shown.evaluate<number>(height))
      expect(px).toBeLessThan(HEIGHT_PX_MAX)
    })
  })
})
