// The pages on which somebody installs the bot, in the real browser: on a phone, in light and dark.
import type { BrowserContextOptions, Page } from 'playwright-core'
import { expect, it, onTestFinished } from 'vitest'
import { type Installs, openInstalls } from '../../install/world.ts'
import { everyFault, faultsInTheDark } from '../../playground/page/axe.ts'
import { seen } from '../../playground/page/on-the-page.ts'
import { leaveWindow, openWindow } from '../../playground/page/windows.ts'

/** A window of a browser of its own, which reaches the bot by its public address, as through the proxy. */
async function opensBrowser({ publicUrl, url }: Installs, how: BrowserContextOptions): Promise<Page> {
  const tab = await openWindow(how)
  onTestFinished(() => leaveWindow(tab, how))
  await tab.route(`${publicUrl}/**`, async (route) => {
    const request = route.request()
    const answer = await fetch(request.url().replace(publicUrl, url), { headers: await request.allHeaders() })
    const headers = Object.fromEntries(answer.headers)
    await route.fulfill({ status: answer.status, headers, body: await answer.text() })
  })
  return tab
}

const allowLink = (tab: Page) => tab.getByRole('link', { name: 'Add to Slack' })

/** Slack's page, on which this person answers, and where it sends them. */
async function answered(tab: Page, as: string, how: Readonly<Record<string, string>> = {}): Promise<string> {
  const page = new URL((await allowLink(tab).getAttribute('href')) ?? '')
  for (const [name, value] of Object.entries({ as, ...how })) page.searchParams.set(name, value)
  const { headers } = await fetch(page, { redirect: 'manual' })
  return headers.get('location') ?? ''
}

const wide = { width: 1280, height: 800 }
const smallPhone = { width: 320, height: 568 }

it('has no faults for axe and fits every screen, in light and dark, whatever becomes of it', async () => {
  const world = await openInstalls()
  const { publicUrl, acme, initech } = world
  const begin = `${publicUrl}/slack/install`
  const tab = await opensBrowser(world, { colorScheme: 'light', viewport: wide, hasTouch: true })

  /** axe is a script, which the page itself could not bring. */
  async function stands(heading: string, sentence: string) {
    await seen(tab.getByRole('heading', { name: heading }))
    await seen(tab.getByText(sentence))
    for (const viewport of [wide, smallPhone]) {
      await tab.setViewportSize(viewport)
      // As easy to hit as the button that connects an account.
      const ways = tab.getByRole('main').getByRole('link')
      for (const way of await ways.all())
        expect.soft((await way.boundingBox())?.height, sentence).toBeGreaterThanOrEqual(44)
      const isWide = await tab.evaluate('document.documentElement.scrollWidth > innerWidth')
      expect.soft(isWide, sentence).toBe(false)
      expect.soft(await everyFault(tab), `${sentence}, ${viewport.width} wide`).toEqual([])
    }
    await tab.setViewportSize(wide)
    expect.soft(await faultsInTheDark(tab), `${sentence}, in the dark`).toEqual([])
  }

  await tab.goto(begin)
  await stands('Add Bellhop to Slack', 'Bellhop shows alerts')
  const allowed = await answered(tab, acme.admin.id)
  await tab.goto(allowed)
  await stands('Installed', 'Bellhop is in Acme.')
  await tab.goto(allowed)
  await stands('Opened before', 'so Bellhop may already be in your Slack')

  await tab.getByRole('link', { name: 'Start again' }).click()
  await tab.goto(await answered(tab, initech.admin.id, { org: '1' }))
  await stands('Installed', 'Bellhop is in the organisation Initech.')

  await tab.goto(begin)
  await tab.goto(await answered(tab, acme.admin.id, { answer: 'cancel' }))
  await stands('Not installed', 'You cancelled in Slack')

  await tab.goto(begin)
  const late = await answered(tab, acme.admin.id)
  world.clock.advance(11 * 60_000)
  await tab.goto(late)
  await stands('Not installed', 'It took longer than ten minutes')

  await tab.goto(`${publicUrl}/slack/oauth_redirect?code=1&state=2`)
  await stands('Not installed', 'You didn’t start in this browser')

  await tab.goto(begin)
  const forged = new URL(await answered(tab, acme.admin.id))
  forged.searchParams.set('code', 'no-code-of-slacks')
  await tab.goto(forged.href)
  await stands('Not installed', 'Slack didn’t let Bellhop in')
})
