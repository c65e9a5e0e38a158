// Browser windows for tests: one Chromium for all files of a worker, and each window in it serves one test after another.
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { browserOptions } from '../../../playground/pictures/browser.ts'

/** What is slower than this on the page is broken. */
const PATIENCE_MS = 15_000
/** A browser that opens many windows at once on a busy machine. */
const LOADING_MS = 30_000

/** Optimizing a script costs more than the few seconds of a test give back. */
const unoptimized = '--js-flags=--no-opt,--no-maglev'

let launching: Promise<Browser> | undefined

/** By what they were opened with. Starting a window costs as much as most of what a test does in it. */
const idle = new Map<string, Page[]>()

/** Opens an empty window in a browser profile of its own: a new one, or one whose test is over. */
export async function openWindow(how: BrowserContextOptions = {}): Promise<Page> {
  launching ??= launch()
  const browser = await launching
  const page = idle.get(nameOf(how))?.pop() ?? (await (await browser.newContext(how)).newPage())
  page.context().setDefaultTimeout(PATIENCE_MS)
  page.setDefaultTimeout(PATIENCE_MS)
  page.setDefaultNavigationTimeout(LOADING_MS)
  return page
}

async function launch(): Promise<Browser> {
  const options = await browserOptions()
  return chromium.launch({ ...options, args: [...(options.args ?? []), unoptimized] })
}

/** Hands a window over to the next test that opens one like it, without anything that this one left in it. */
export async function leaveWindow(page: Page, how: BrowserContextOptions = {}): Promise<void> {
  const context = page.context()
  for (const event of ['console', 'pageerror', 'request'] as const) page.removeAllListeners(event)
  for (const other of context.pages()) if (other !== page) await other.close()
  await page.unrouteAll()
  await context.unrouteAll()
  await context.clearCookies()
  await page.mouse.move(0, 0)
  await page.goto('about:blank')
  const others = idle.get(nameOf(how)) ?? []
  idle.set(nameOf(how), [...others, page])
}

const nameOf = (how: BrowserContextOptions) => JSON.stringify(how)
