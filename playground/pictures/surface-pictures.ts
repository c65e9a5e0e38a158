// The smaller pictures of docs/using.md: each a piece of the playground, in light and dark.
import { join } from 'node:path'
import type { Browser, Locator, Page } from 'playwright-core'
import { openPlayground, type Playground } from '../open-playground.ts'
import { type Clip, takeBoth } from './take-both.ts'

const width = 460
const height = 900
/** Above and below what is pictured, in CSS pixels. */
const margins = { top: 2, bottom: 10 }

/** Lines that would be seen in part, above what is pictured. */
const noLines = '.s-day { visibility: hidden } .s-header { border-color: transparent !important }'

/** What is to be seen of the page, after it was used for it. */
type Surface = (page: Page, playground: Playground) => Promise<readonly Locator[]>

const box = (page: Page) => page.getByRole('combobox', { name: /^Message / })
const article = (page: Page, words: string) => page.getByRole('article').filter({ hasText: words }).last()

async function says(page: Page, line: string): Promise<void> {
  await box(page).fill(line)
  await box(page).press('Enter')
}

function styles(page: Page, css: string): Promise<void> {
  return page.evaluate(`{
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(${JSON.stringify(css)})
    document.adoptedStyleSheets.push(sheet)
  }`)
}

const surfaces: Readonly<Record<string, Surface>> = {
  async approval(page, { slack }) {
    const bob = slack.person('bob')
    const onCall = [...slack.workspace.channels.values()].find(({ name }) => name === 'on-call')
    if (!onCall) throw new Error('There is no #on-call.')
    await bob.types('/grant 12 dave@example.com viewer', onCall)
    await bob.presses('Ask for approval', await bob.sees('Not granted', onCall))
    await bob.seesModal('Ask for approval')
    await bob.submits({ fields: { Reason: 'Dave is on call this week.' } })
    const card = article(page, '🔑')
    await card.waitFor()
    await slack.idle()
    return [card]
  },

  async home(page) {
    await says(page, '/alert disk-full watch')
    await article(page, '👁').waitFor()
    await page.evaluate(`location.hash = 'home'`)
    const tab = page.locator('.v-home')
    await tab.getByText('Disk /var').first().waitFor()
    return [tab]
  },
}

/** @param folder - `docs`. Each surface has a playground of its own, in which nothing else has happened. */
export async function takeSurfacePictures(browser: Browser, folder: string): Promise<void> {
  for (const [name, show] of Object.entries(surfaces)) {
    const playground = await openPlayground({ port: 0 })
    try {
      const page = await browser.newPage({
        viewport: { width, height },
        deviceScaleFactor: 2,
        locale: 'en-US',
        timezoneId: 'UTC',
      })
      await page.goto(playground.url)
      await styles(page, noLines)
      const shown = await show(page, playground)
      await page.mouse.move(0, 0)
      await takeBoth(page, join(folder, `in-slack-${name}`), await clipAround(page, shown))
      await page.context().close()
    } finally {
      await playground.stop()
    }
  }
}

/** As wide as the page, and as high as all of them. */
async function clipAround(page: Page, shown: readonly Locator[]): Promise<Clip> {
  const boxes = await Promise.all(shown.map((one) => one.boundingBox()))
  const tops = boxes.map((one) => one?.y ?? height)
  const bottoms = boxes.map((one) => (one === null ? 0 : one.y + one.height))
  const top = Math.max(0, Math.min(...tops) - margins.top)
  const bottom = Math.min(height, Math.max(...bottoms) + margins.bottom)
  return { x: 0, y: top, width: page.viewportSize()?.width ?? width, height: bottom - top }
}
