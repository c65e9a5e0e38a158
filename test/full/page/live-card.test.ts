// Live cards: they move while one looks, for everybody who watches, wherever that is, and until it is over.
import type { Locator } from 'playwright-core'
import { expect, it } from 'vitest'
import {
  focused,
  gone,
  message,
  newEvent,
  presses,
  replies,
  says,
  seen,
} from '../../playground/page/on-the-page.ts'
import { openPage, sharedPage } from '../../playground/page/page-world.ts'

const shared = sharedPage()

const button = (within: Locator, name: string) => within.getByRole('button', { name, exact: true })

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
    replies(page).getByText(
      'The card will stop updating unless the alert opens again within 15 minutes.',
    ),
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
