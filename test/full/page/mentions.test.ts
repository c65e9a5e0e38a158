// Mentions, for where no command can be typed: Bellhop is mentioned, in channels and threads, or spoken to directly.
import { expect, it } from 'vitest'
import {
  choosesFor,
  dialog,
  goesTo,
  gone,
  message,
  messageBox,
  messages,
  presses,
  replies,
  says,
  seen,
  thread,
} from '../../playground/page/on-the-page.ts'
import { openPage } from '../../playground/page/page-world.ts'

it('completes the mention of Bellhop, which answers in the channel', async () => {
  const { page } = await openPage()
  const box = messageBox(page)
  await box.fill('@be')
  await seen(page.getByRole('listbox', { name: 'People' }).getByRole('option', { name: '@Bellhop App' }))
  await box.press('Enter')
  expect(await box.inputValue()).toBe('@Bellhop ')

  await box.pressSequentially('alert one-hit')
  await box.press('Enter')

  await seen(message(page, 'alert one-hit').getByText('@Bellhop'))
  await seen(message(page, 'asked by alice').getByText('Certificate expires in 6 days'))
  await box.fill('/grant 12 @be')
  await expect.poll(() => page.getByRole('option').count()).toBe(0)
})

it('answers in the thread where it is mentioned', async () => {
  const { page } = await openPage()
  await presses(page, 'What happened')
  await choosesFor(message(page, '/var is filling up'), 'Reply in thread')
  const box = thread(page).getByRole('combobox', { name: 'Reply in thread' })

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

it('asks somebody new to connect in the thread, for their eyes only, and answers there', async () => {
  const { page, playground, as } = await openPage({ as: 'carol' })
  const alice = await as('alice')
  const { demoToken = '' } = playground.players.find(({ person }) => person.name === 'carol') ?? {}
  for (const one of [page, alice]) await choosesFor(message(one, '/var is filling up'), 'Reply in thread')
  const box = thread(page).getByRole('combobox', { name: 'Reply in thread' })

  await box.fill('@Bellhop alert disk-full')
  await box.press('Enter')
  const prompt = replies(page).filter({ hasText: 'Only visible to you' })
  await seen(prompt.getByText('I need your monitoring account'))
  await presses(prompt, 'Connect account')
  const form = dialog(page, 'Connect account')
  await form.getByRole('textbox', { name: 'API token' }).fill(demoToken)
  await presses(form, 'Connect account')
  await seen(form.getByText('Connected.'))
  await page.keyboard.press('Escape')

  await seen(replies(alice).filter({ hasText: 'asked by carol' }).getByText('Disk /var is 96 % full'))
  expect(await replies(alice).filter({ hasText: 'I need your monitoring account' }).count()).toBe(0)
  await gone(prompt)
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
