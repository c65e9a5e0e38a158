// The larger pictures of README.md and docs/using.md: the playground as it is, used by its accessible names, in light and dark.
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { openPlayground, type Playground } from '../open-playground.ts'
import { takeBoth } from './take-both.ts'

/** @param folder - `docs`. */
export async function takeReadmePictures(browser: Browser, folder: string): Promise<void> {
  const playground = await openPlayground({ port: 0 })
  try {
    const page = await browser.newPage({
      viewport: { width: 1280, height: 860 },
      deviceScaleFactor: 2,
      locale: 'en-US',
      timezoneId: 'UTC',
    })
    const take = async (name: string) => {
      // Neither pointer nor focus is on anything.
      await page.mouse.move(0, 0)
      await page.evaluate('document.activeElement.blur()')
      await takeBoth(page, join(folder, name))
    }
    await page.goto(playground.url)
    await showCard(page, playground)
    await take('channel')
    await showForm(page)
    await take('grant')
    await page.context().close()
  } finally {
    await playground.stop()
  }
}

async function types(page: Page, line: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Message #on-call' }).fill(line)
  await page.getByRole('button', { name: 'Send', exact: true }).first().click()
}

/** An alert in the channel, its history beside it. */
async function showCard(page: Page, { slack }: Playground): Promise<void> {
  const onCall = [...slack.workspace.channels.values()].find(({ name }) => name === 'on-call')
  if (!onCall) throw new Error('There is no #on-call.')
  slack.person('bob').says('db-03 is slow again. Is anybody on it?', onCall)
  slack.person('alice').says('Let me see.', onCall)
  await types(page, '/alert disk-full')
  await page.getByRole('button', { name: '1 reply' }).click()
  await page.getByRole('complementary', { name: 'Thread' }).getByText('took it').waitFor()
}

/** The form for granting, over the channel. */
async function showForm(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Close thread' }).click()
  await types(page, '/grant 12 dave@example.com')
  const form = page.getByRole('dialog', { name: 'Grant access' })
  await form.getByRole('combobox', { name: 'Role' }).selectOption('Responder')
  await form.getByText('8 flags').waitFor()
}
