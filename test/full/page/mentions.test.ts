// Mentions, for where no command can be typed: Bellhop is mentioned, in channels and threads, or spoken to directly.
import { expect, it } from 'vitest'
import {
  choosesFor,
  message,
  messages,
  presses,
  replies,
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

  await seen(
    replies(page).filter({ hasText: 'asked by alice' }).getByText('Disk /var is 96 % full'),
  )
  expect(await messages(page, 'asked by alice').count()).toBe(0)
  await presses(thread(page), 'Close thread')
  const drawer = page.getByRole('complementary', { name: 'What happened' })
  const told = drawer.getByRole('article', {
    name: 'alice wrote “@Bellhop alert disk-full” in a thread of #on-call',
  })
  await seen(told.getByText('event app_mention'))
  await seen(told.getByText('GET /alert/disk-full'))
})
