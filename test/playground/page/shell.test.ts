// Around the messages: two windows alive, what a reload keeps, widths and colours, channels.
import { expect, it } from 'vitest'
import { dialog, goesTo, message, messages, presses, says, seen } from './on-the-page.ts'
import { openPage, sharedPage } from './page-world.ts'

const shared = sharedPage()

it('shows in every window what happens in another', async () => {
  const { page, as } = shared
  const bob = await as('bob')

  await says(page, 'Good morning')
  await seen(message(bob, 'Good morning'))
  await goesTo(bob, 'shop')
  await says(page, 'Still there?')
  await seen(message(page, 'Still there?'))
  expect(await messages(bob, 'Still there?').count()).toBe(0)
  await goesTo(bob, 'on-call')
  await seen(message(bob, 'Still there?'))
})

it('fits a phone without being pushed sideways', async () => {
  const { page } = await openPage({ viewport: { width: 360, height: 740 }, hasTouch: true })
  const tooWide = () =>
    page.evaluate<number>(
      'document.documentElement.scrollWidth - document.documentElement.clientWidth',
    )

  await says(page, '/alert "a/b?c=<d>&e%2F#f"')
  await seen(message(page, 'asked by alice'))
  expect(await tooWide()).toBe(0)
  await says(page, '/alert long-message')
  await presses(message(page, 'All work and no play'), '1 reply')
  expect(await tooWide()).toBe(0)
  await presses(page, 'Close thread')
  await says(page, '/grant')
  await seen(dialog(page, 'Grant access'))
  expect(await tooWide()).toBe(0)
})
