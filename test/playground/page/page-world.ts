// One test's playground in one line: the real bot behind the page, in a real browser, with a window for each person.
import type { BrowserContextOptions, Page } from 'playwright-core'
import { beforeAll, expect, onTestFinished, type TestContext } from 'vitest'
import { openPlayground, type Playground } from '../../../playground/open-playground.ts'
import { startBotHere } from '../bot-here.ts'
import { messageBox, seen } from './on-the-page.ts'
import { startWatch } from './watch.ts'
import { leaveWindow, openWindow } from './windows.ts'

export type Name = 'alice' | 'bob' | 'carol'

export interface PageWorld {
  readonly playground: Playground
  /** The first window. */
  readonly page: Page
  /** A further window, in a browser of its own, for this person. */
  as(name: Name, options?: BrowserContextOptions): Promise<Page>
}

export interface PageOptions extends BrowserContextOptions {
  /** Whose window is opened first; default alice. */
  readonly as?: Name
  /** Tokens are given on the bot's own page. */
  readonly isPublic?: boolean
}

interface Test extends Pick<TestContext, 'expect'> {
  onTestFinished(end: () => Promise<void>): void
}
const vitest: Test = { expect, onTestFinished }

/** Where a playground was that is over: fonts and scripts from there need not be read again. */
const ports: number[] = []

/** Opens a playground of the test's own and its first window. @param context - Of a test that runs beside others. */
export async function openPage(
  options: PageOptions = {},
  context: Test = vitest,
): Promise<PageWorld> {
  const { as: first = 'alice', isPublic = false, ...shared } = options
  const playground = await openPlayground({
    port: ports.pop() ?? 0,
    isPublic,
    startBot: startBotHere,
  })
  const watch = startWatch(playground.url)
  const leaves: (() => Promise<void>)[] = []
  context.onTestFinished(async () => {
    await playground.slack.idle()
    // Whatever a window complains about while the server goes away says nothing.
    const complaints = watch.complaints()
    for (const leave of leaves) await leave()
    await playground.stop()
    ports.push(Number(new URL(playground.url).port))
    context.expect(complaints).toEqual([])
  })

  async function as(name: Name, more: BrowserContextOptions = {}): Promise<Page> {
    const how = { timezoneId: 'UTC', ...shared, ...more }
    const page = await openWindow(how)
    leaves.push(() => leaveWindow(page, how))
    watch.over(page, name)
    await page.goto(`${playground.url}/?as=${name}`)
    await isThere(page)
    return page
  }

  return { playground, page: await as(first), as }
}

/** One playground and its windows for all tests of a file that leave each other in peace. */
export function sharedPage(options: PageOptions = {}): PageWorld {
  let opened: PageWorld | undefined
  const windows = new Map<string, Promise<Page>>()
  const world = () => {
    if (!opened) throw new Error('The playground is not open yet')
    return opened
  }
  beforeAll(async () => {
    let close = async () => {}
    opened = await openPage(options, {
      expect,
      onTestFinished(end) {
        close = end
      },
    })
    return () => close()
  })
  return {
    get playground() {
      return world().playground
    },
    get page() {
      return world().page
    },
    as(name, how) {
      const key = JSON.stringify([name, how])
      const window = windows.get(key) ?? world().as(name, how)
      windows.set(key, window)
      return window
    },
  }
}

/** The page has loaded and shows what its person sees. */
async function isThere(page: Page): Promise<void> {
  await seen(messageBox(page))
}
