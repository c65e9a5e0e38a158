// Live cards: they move while one looks, for everybody who watches, wherever that is, and until it is over.
import type { Locator, Page } from 'playwright-core'
import { expect, it } from 'vitest'
import type { Playground } from '../../../playground/open-playground.ts'
import type { Channel } from '../../../playground/slack/model/model.ts'
import {
  focused,
  goesTo,
  gone,
  message,
  messageBox,
  messages,
  newEvent,
  presses,
  replies,
  says,
  seen,
} from '../../playground/page/on-the-page.ts'
import { openPage, sharedPage } from '../../playground/page/page-world.ts'

const shared = sharedPage()

const button = (within: Locator, name: string) => within.getByRole('button', { name, exact: true })

const channelLink = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Channels' }).getByRole('link', { name })

function onCall({ slack }: Playground): Channel {
  const channel = [...slack.workspace.channels.values()].find(({ name }) => name === 'on-call')
  if (!channel) throw new Error('No #on-call')
  return channel
}

it('moves by itself for those who watch it, tells the thread, and ends with the alert', async () => {
  const { page, as, playground } = await openPage()
  const bob = await as('bob')
  await says(page, `/alert ${playground.service.linkOf('disk-full')}`)
  const card = message(page, 'asked by alice')
  await presses(card, '1 reply')

  await presses(card, 'Watch')
  await seen(card.getByText('👁️ alice'))
  await newEvent(page)
  await seen(replies(page).getByText('Looking into it.'))

  const bobsCard = message(bob, 'asked by alice')
  await presses(bobsCard, 'Watch')
  await seen(card.getByText('👁️ alice, bob'))
  await presses(card, 'More options')
  await page.getByRole('menuitem', { name: 'Stop watching' }).click()
  await seen(card.getByText('👁️ bob ·'))

  for (let left = 5; left > 0; left -= 1) await newEvent(page)
  await seen(bobsCard.getByText(/Closed .* · was CRITICAL/))
  await seen(
    replies(page).getByText('The card will stop updating unless the alert opens again within 15 minutes.'),
  )
  await gone(button(card, 'Watch'))
  await gone(card.getByText('👁'))
  await presses(card, 'More options')
  await seen(page.getByRole('menuitem', { name: 'Grant access' }))
  expect(await page.getByRole('menuitem', { name: 'Stop watching' }).count()).toBe(0)
})

it('says who stopped it when nobody watches any more, and keeps the focus in its row', async () => {
  const { page, playground } = shared
  await says(page, `/alert ${playground.service.linkOf('one-hit')} watch`)
  const card = message(page, '👁')
  await presses(card, '1 reply')
  await button(card, 'More options').focus()

  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: 'Stop watching' }).focus()
  await page.keyboard.press('Enter')
  await gone(page.getByText('👁'))
  await focused(button(message(page, 'asked by alice'), 'More options'))
  await seen(replies(page).getByText('Stopped updating: alice pressed Stop watching.'))
  await seen(button(message(page, 'asked by alice'), 'Watch'))
})

it('leaves whoever reads where they are', async () => {
  const { page, playground } = await openPage({ viewport: { width: 1280, height: 500 } })
  const { slack, seed } = playground
  await says(page, '/alert disk-full watch')
  const card = message(page, '👁')
  await seen(card)
  for (let line = 1; line <= 20; line += 1) slack.person('bob').says(`Line ${line}`, onCall(playground))
  await seen(message(page, 'Line 20'))
  const top = () => page.evaluate<number>('document.querySelector("[role=log]").scrollTop')

  const first = button(card, 'Assign to me')
  await first.focus()
  const before = await top()
  for (let count = 0; count < 2; count += 1) seed.happens('disk-full')
  await seen(card.getByText('ALERT, was WARNING'))
  await focused(first)
  expect(await top()).toBe(before)

  await card.hover()
  await button(card, 'More actions').click()
  const menuItem = page.getByRole('menuitem').first()
  await focused(menuItem)
  seed.happens('disk-full')
  await seen(card.getByRole('button', { name: '2 replies' }))
  await focused(menuItem)
})

it('is found again from elsewhere: its channel is marked, and a list leads there', async () => {
  const { page } = await openPage()
  await says(page, '/alert disk-full watch')
  await seen(message(page, '👁'))
  await goesTo(page, 'shop')
  await says(page, '/alert one-hit watch')
  await seen(message(page, '👁'))
  await messageBox(page).fill('Half a line')
  const marked = channelLink(page, 'on-call').and(page.locator('[aria-description="New messages"]'))
  expect(await marked.count()).toBe(0)

  await newEvent(page)
  await seen(marked)
  expect(await messageBox(page).inputValue()).toBe('Half a line')

  await says(page, '/alert watches')
  const list = message(page, 'You’re watching 2 alerts.')
  await list.getByRole('link', { name: 'Disk /var is 96 % full' }).click()
  await seen(page.getByRole('combobox', { name: 'Message #on-call' }))
  await focused(button(message(page, '👁'), 'Assign to me'))
  await gone(marked)

  await goesTo(page, 'shop')
  await list.getByRole('button', { name: 'Stop watching' }).first().click()
  await presses(message(page, 'You’re watching 1 alert.'), 'Stop watching')
  await seen(message(page, 'You aren’t watching any alerts.'))
})

it('lives in the direct message where Bellhop cannot change its card', async () => {
  const { page } = shared
  await goesTo(page, 'leads')
  await says(page, '/alert disk-full watch')
  await presses(message(page, 'it can’t update a card here'), 'Watch')
  await message(page, 'The card is live in').getByRole('link').click()

  await seen(page.getByRole('combobox', { name: 'Message Bellhop' }))
  const card = message(page, '👁')
  await presses(card, '1 reply')
  await newEvent(page)
  await seen(replies(page).getByText('Looking into it.'))
  expect(await messages(page, 'asked by alice').filter({ hasText: 'Disk /var' }).count()).toBe(0)
})
