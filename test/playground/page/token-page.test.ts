// The page where tokens are given, in the real browser: without a script, on a phone, in light and dark.
import type { BrowserContextOptions, Page } from 'playwright-core'
import { expect, it, onTestFinished } from 'vitest'
import { everyFault } from './axe.ts'
import { dialog, gone, message, messages, presses, says, seen } from './on-the-page.ts'
import { openPage, type PageWorld } from './page-world.ts'

/** Carol, who has no account, asks for an alert, and is shown the link. */
async function carolAsks() {
  const world = await openPage({ as: 'carol', isPublic: true })
  const { demoToken = '' } =
    world.playground.players.find(({ person }) => person.name === 'carol') ?? {}
  await says(world.page, '/alert disk-full')
  const prompt = message(world.page, 'To do this, I need your monitoring account')
  await presses(prompt, 'Connect account')
  const button = dialog(world.page, 'Connect account').getByRole('link', {
    name: 'Connect account',
  })
  await seen(button)
  return { ...world, button, demoToken, link: (await button.getAttribute('href')) ?? '' }
}

/** The link in a browser of its own. */
async function opensElsewhere(
  { page }: PageWorld,
  link: string,
  how: BrowserContextOptions,
): Promise<Page> {
  const context = await page.context().browser()?.newContext(how)
  if (context === undefined) throw new Error('no browser')
  onTestFinished(() => context.close())
  const tab = await context.newPage()
  await tab.goto(link)
  return tab
}

const form = (tab: Page) => ({
  token: tab.getByLabel('API token', { exact: true }),
  connect: tab.getByRole('button', { name: 'Connect account' }),
})

it('opens from the button, works without scripts, and what waited goes on in Slack', async () => {
  const { button, demoToken, link, ...world } = await carolAsks()
  const [opened] = await Promise.all([world.page.context().waitForEvent('page'), button.click()])
  await seen(opened.getByText(/^This connects the Slack account carol@example\.com/))
  await opened.close()

  const tab = await opensElsewhere(world, link, { javaScriptEnabled: false })
  const { token, connect } = form(tab)
  expect(await token.getAttribute('type')).toBe('password')
  await token.fill('wrong-token')
  await connect.click()
  await seen(
    tab.getByRole('alert').filter({ hasText: 'Monitoring doesn’t accept this token (401)' }),
  )
  expect(await token.inputValue()).toBe('')
  await token.fill(demoToken)
  await token.press('Enter')

  await seen(tab.getByText(/^You’re connected as .*carol/))
  await seen(tab.getByText('I’m finishing what you asked for.'))
  expect(tab.url()).toBe(link)
  await seen(message(world.page, 'Disk /var is 96 % full').getByText('asked by carol'))
  await gone(messages(world.page, 'To do this, I need'))

  expect(await tab.getByRole('link', { name: 'Back to Slack' }).getAttribute('href')).toMatch(
    /^slack:\/\/open\?team=T\w+$/,
  )
  const elsewhere = await opensElsewhere(world, link, { javaScriptEnabled: false })
  await seen(elsewhere.getByRole('heading', { name: 'This link doesn’t work' }))
})

const looks: Readonly<Record<string, BrowserContextOptions>> = {
  'in light': { colorScheme: 'light' },
  'in dark': { colorScheme: 'dark' },
  'on a small phone': {
    colorScheme: 'dark',
    viewport: { width: 320, height: 568 },
    hasTouch: true,
  },
}

it('has no faults for axe, fits a small phone, and breaks no rule of its own', async () => {
  const { demoToken, link, ...world } = await carolAsks()
  const tabs: Page[] = []
  const complaints: string[] = []
  for (const [name, look] of Object.entries(looks)) {
    const tab = await opensElsewhere(world, link, look)
    tab.on('console', (said) => complaints.push(`${name}: ${said.text()}`))
    await tab.reload()
    await form(tab).token.fill('wrong-token')
    await tab.getByText('Where do I find it?').click()
    await seen(tab.getByRole('link', { name: 'Open monitoring' }))
    if (tabs.push(tab) === 1) expect.soft(await everyFault(tab), `${name}, the form`).toEqual([])
    // The style is taken, and nothing is wider than the screen.
    const overflows = 'document.documentElement.scrollWidth > innerWidth'
    expect.soft(await tab.evaluate(overflows), name).toBe(false)
    expect
      .soft(await tab.evaluate("getComputedStyle(document.querySelector('main')).paddingLeft"))
      .not.toBe('0px')
    await form(tab).connect.click()
    await seen(tab.getByRole('alert'))
    expect.soft(await everyFault(tab), `${name}, a problem`).toEqual([])
  }
  const [first] = tabs
  if (first === undefined) throw new Error('no tab')
  await form(first).token.fill(demoToken)
  await form(first).connect.click()
  await seen(first.getByRole('heading', { name: 'Connected' }))
  expect.soft(await everyFault(first), 'connected').toEqual([])
  for (const tab of tabs.slice(1)) {
    await tab.goto(`${link.slice(0, -3)}AAA`)
    await seen(tab.getByRole('heading', { name: 'This link doesn’t work' }))
    expect.soft(await everyFault(tab), 'a link that doesn’t work').toEqual([])
  }
  // The browser itself says that an answer was 4xx.
  expect(
    complaints.filter((one) => !one.includes('the server responded with a status of 4')),
  ).toEqual([])
})
