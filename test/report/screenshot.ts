/** Draws a report in a real browser: for tests that look at the layout, and for pictures of it. */
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { chromium, type Page } from 'playwright-core'

/** `CHROMIUM_BIN`, else where Linux distributions put it. */
export const CHROMIUM_PATH: string = process.env['CHROMIUM_BIN'] ?? '/usr/bin/chromium'
export const HAS_CHROMIUM: boolean = existsSync(CHROMIUM_PATH)

const ARGUMENTS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

export type View = { readonly width: number; readonly dark: boolean; readonly print?: boolean }

/** What the browser noticed while it showed the page. */
export type Viewing = {
  /** URLs asked for, the page itself left out. */
  readonly requests: string[]
  /** Messages on the console and errors of scripts. */
  readonly complaints: string[]
}

const HEIGHT = 900

/** A browser with a profile of its own, which is deleted when it is disposed of. */
export class Browser implements AsyncDisposable {
  readonly #profile: string
  readonly #context: Awaited<ReturnType<typeof chromium.launchPersistentContext>>

  private constructor(
    profile: string,
    context: Awaited<ReturnType<typeof chromium.launchPersistentContext>>,
  ) {
    this.#profile = profile
    this.#context = context
  }

  static async start(): Promise<Browser> {
    const profile = await mkdtemp(path.join(tmpdir(), 'report-browser-'))
    const context = await chromium.launchPersistentContext(profile, {
      executablePath: CHROMIUM_PATH,
      args: ARGUMENTS,
    })
    return new Browser(profile, context)
  }

  /** Opens a file, hands the page to `look`, and closes it again. */
  async view<T>(
    htmlPath: string,
    { width, dark, print = false }: View,
    look: (page: Page, viewing: Viewing) => Promise<T>,
  ): Promise<T> {
    const page = await this.#context.newPage()
    const url = pathToFileURL(htmlPath).href
    const viewing: Viewing = { requests: [], complaints: [] }
    page.on('request', (request) => {
      if (request.url() !== url) viewing.requests.push(request.url())
    })
    page.on('console', (message) => void viewing.complaints.push(message.text()))
    page.on('pageerror', (error) => void viewing.complaints.push(error.message))
    try {
      await page.setViewportSize({ width, height: HEIGHT })
      await page.emulateMedia({
        colorScheme: dark ? 'dark' : 'light',
        media: print ? 'print' : 'screen',
      })
      await page.goto(url)
      return await look(page, viewing)
    } finally {
      await page.close()
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#context.close()
    await rm(this.#profile, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** Writes a picture of the whole page. */
export async function screenshot(htmlPath: string, pngPath: string, view: View): Promise<void> {
  await using browser = await Browser.start()
  await browser.view(htmlPath, view, (page) => page.screenshot({ path: pngPath, fullPage: true }))
}
