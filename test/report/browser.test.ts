import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test, type TestContext } from 'vitest'
import { renderHtml } from '../../harness/report/html.ts'
import { renderJunit } from '../../harness/report/junit.ts'
import { recordOf, simulatedCapacity } from '../capacity/sample-capacity.ts'
import { hostileRecord, largeRecord } from './sample-hostile.ts'
import { emptyRecord, failingRecord, passingRecord } from './sample-record.ts'
import { Browser, CHROMIUM_PATH, HAS_CHROMIUM, screenshot } from './screenshot.ts'

const RECORDS = {
  passing: passingRecord(),
  failing: failingRecord(),
  empty: emptyRecord(),
  hostile: hostileRecord(),
  large: largeRecord({ checks: 150, exchanges: 300 }),
  capacity: recordOf(await simulatedCapacity({ workers: 4, serviceMs: 10 })),
}

let folder: string
let browser: Browser | undefined

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'report-'))
  if (HAS_CHROMIUM) browser = await Browser.start()
})

afterAll(async () => {
  await browser?.[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

function started({ skip }: TestContext): Browser {
  return browser ?? skip(`No chromium at ${CHROMIUM_PATH}: set CHROMIUM_BIN.`)
}

/** Widths of the document and of the window, with everything unfolded. */
const WIDTHS = `(() => {
  for (const fold of document.querySelectorAll('details')) fold.open = true
  return [document.documentElement.scrollWidth, document.documentElement.clientWidth]
})()`

for (const name of Object.keys(RECORDS) as (keyof typeof RECORDS)[]) {
  for (const width of [1280, 420]) {
    const title = `the ${name} report at ${width} px fits, asks for nothing and complains of nothing`
    test(title, async (context) => {
      const file = path.join(folder, `${name}.html`)
      await writeFile(file, renderHtml(RECORDS[name]))
      const view = { width, dark: width === 420 }
      await started(context).view(file, view, async (page, viewing) => {
        const [wide, window] = await page.evaluate<[number, number]>(WIDTHS)
        expect(wide).toBe(window)
        expect(viewing).toEqual({ requests: [], complaints: [] })
        expect(await page.title()).not.toBe('owned')
      })
    })
  }
}

test('a hostile record makes no element of its own', async (context) => {
  const file = path.join(folder, 'hostile-elements.html')
  await writeFile(file, renderHtml(RECORDS.hostile))
  const elements = `[...document.querySelectorAll('script, img, iframe, object, link, [onerror], [onmouseover], [style], body style')].map((e) => e.outerHTML)`
  await started(context).view(file, { width: 1280, dark: false }, async (page) => {
    expect(await page.evaluate<string[]>(elements)).toEqual([])
  })
})

test('a real XML parser reads the JUnit file of a hostile record', async (context) => {
  const file = path.join(folder, 'blank.html')
  await writeFile(file, '<!doctype html><title>blank</title>')
  const parse = `((xml) => { const d = new DOMParser().parseFromString(xml, 'application/xml'); return d.querySelector('parsererror')?.textContent ?? d.querySelectorAll('testcase').length })(${JSON.stringify(renderJunit(RECORDS.hostile))})`
  await started(context).view(file, { width: 420, dark: false }, async (page) => {
    const { checks, load, requirements } = RECORDS.hostile
    expect(await page.evaluate<number | string>(parse)).toBe(
      checks.length + load.length + requirements.length + 1,
    )
  })
})

test('a picture of a report can be taken', async ({ skip }) => {
  skip(!HAS_CHROMIUM, `No chromium at ${CHROMIUM_PATH}: set CHROMIUM_BIN.`)
  const [page, picture] = [path.join(folder, 'picture.html'), path.join(folder, 'picture.png')]
  await writeFile(page, renderHtml(RECORDS.empty))
  await screenshot(page, picture, { width: 420, dark: true })
  expect((await readFile(picture)).subarray(1, 4).toString()).toBe('PNG')
})
