// Mentions, for where no command can be typed: Bellhop is mentioned, in channels and threads, or spoken to directly.
import { expect, it } from 'vitest'
import {
  choosesFor,
  goesTo,
  message,
  messages,
  presses,
  replies,
  says,
  seen,
  thread,
} from '../../playground/page/on-the-page.ts'
import { openPage } from '../../playground/page/page-world.ts'

it('answers in the thread where it is mentioned', async () => {
  const { page } = await openPage()
  await presses(page, 'What happened')
  await choosesFor(message(page, '/var is filling up'), 'Reply in thread')
  const box = thread(page).getByRole('textbox', { name: 'Reply in thread' })

  await box.fill('@Bellhop alert disk-full')
  await box.press('Enter')

  await seen(replies(page).filter({ hasText: 'asked by alice' }).getByText('Disk /var is 96 % full'))
  expect(await messages(page, 'asked by alice').count()).toBe(0)
  await presses(thread(page), 'Close thread')
  const drawer = page.getByRole('complementary', { name: 'What happened' })
  const told = drawer.getByRole('article', {
    name: 'alice wrote “@Bellhop alert disk-full” in a thread of #on-call',
  })
  await seen(told.getByText('event app_mention'))
  await seen(told.getByText('GET /alert/disk-full'))
})

it('is spoken to directly, in the same words; what it says itself is no news', async () => {
  const { page } = await openPage()
  await goesTo(page, 'Bellhop')
  await presses(page, 'What happened')
  const drawer = page.getByRole('complementary', { name: 'What happened' })

  await says(page, 'alert one-hit')
  const card = message(page, 'asked by alice')
  await seen(card.getByText('Certificate expires in 6 days'))
  await seen(card.getByRole('button', { name: '1 reply' }))
  await says(page, 'thank you')
  await seen(message(page, 'You’re welcome.'))

  const titles = () => drawer.getByRole('article').getByRole('heading').allInnerTexts()
  expect(await titles()).toEqual([
    'alice wrote “alert one-hit” to Bellhop',
    'alice wrote “thank you” to Bellhop',
  ])
  expect(await drawer.getByText('event message.im').count()).toBe(2)
})
