// On which machine: a followed channel's cards name it, and a notification does once the service's webhook calls Bellhop.
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { gone, message, presses, says, seen } from './on-the-page.ts'
import { openPage } from './page-world.ts'

const desktop = { width: 1280, height: 860 }
const phone = { width: 390, height: 844 }

/** Presses a button of the sidebar, which a phone opens first. */
async function opensAlert(page: Page, button: string): Promise<void> {
  const toSidebar = page.getByRole('button', { name: 'Channels', exact: true })
  const isPhone = await toSidebar.isVisible()
  if (isPhone) await toSidebar.click()
  await presses(page, button)
  if (!isPhone) return
  await page.keyboard.press('Escape')
  await gone(page.getByRole('complementary', { name: 'Sidebar' }))
}

it.each([
  ['a desktop', desktop],
  ['a phone', phone],
])('is on the card, and in the notification of a webhook, on %s', async (_, viewport) => {
  const { page, playground } = await openPage({ viewport, isPublic: true })
  await says(page, '/alert follow 12')
  await presses(message(page, 'Follow Customer 1 (12) in this channel?'), 'Follow')
  const own = message(page, 'Following Customer 1 (12)')
  await seen(own)
  await seen(message(page, 'open in Customer 1 (12) already').getByText(/CRITICAL · db-03 · Disk/))

  await opensAlert(page, 'New alert')
  await seen(message(page, 'Usage of C: is 97 %').getByText('host-1 · CRITICAL'))

  await opensAlert(page, 'By webhook')
  await seen(page.getByText('No webhook calls Bellhop yet.'))
  await presses(own, 'Get alerts at once')
  await seen(message(page, 'Get new alerts of Customer 1 (12) at once').getByText('{{ asset_id }}'))
  await opensAlert(page, 'By webhook')
  await seen(message(page, '4,000 mails are waiting').getByText('host-2 · ERROR'))
  const calls = playground.slack.calls.filter(({ method }) => method === 'chat.postMessage')
  const posted = calls.map(({ args }) => String(args.text))
  expect(posted.find((text) => text.includes('4,000 mails'))).toContain(
    'ERROR: host-2: 4,000 mails are waiting',
  )
  expect(
    await page.evaluate<number>(
      'document.documentElement.scrollWidth - document.documentElement.clientWidth',
    ),
  ).toBe(0)
})
