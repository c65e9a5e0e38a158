// `npm run screenshots`: makes the pictures of README.md and docs/using.md. They show the playground as it is, used by its
// accessible names, in light and dark.
import type { Browser, Page } from 'playwright-core'
import { openPlayground, type Playground } from '../open-playground.ts'
import { launchBrowser } from './browser.ts'

const browser = await launchBrowser()
try {
  await takePictures(browser)
} finally {
  await browser.close()
}

async function takePictures(browser: Browser): Promise<void> {
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
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        await page.screenshot({ path: `docs/${name}-${colorScheme}.png`, animations: 'disabled' })
      }
      await page.emulateMedia({ colorScheme: 'light' })
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
