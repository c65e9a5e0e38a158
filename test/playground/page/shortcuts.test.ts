// The app's shortcuts: its forms, without a command, beside the message box; and those in a message's menu.
import { expect, it } from 'vitest'
import { choosesFor, dialog, goesTo, message, messages, presses, replies, seen } from './on-the-page.ts'
import { openPage, sharedPage } from './page-world.ts'

const shared = sharedPage()

it('open a form from anywhere, and the card lands where one chooses', async () => {
  const { page, playground } = shared
  const shop = [...playground.slack.workspace.channels.values()].find(({ name }) => name === 'shop')

  await presses(page, 'Shortcuts')
  await page.getByRole('menuitem', { name: /Look up an alert/ }).click()
  const form = dialog(page, 'Look up an alert')
  await form.getByRole('textbox', { name: 'Alert key' }).fill('disk-full')
  await form.getByRole('combobox', { name: 'Post to' }).selectOption(shop?.id ?? '')
  await presses(form, 'Look up')

  await goesTo(page, 'shop')
  await seen(message(page, 'asked by alice'))
})

it('look up what a message of another tool speaks of, in its thread', async () => {
  const { page, as } = await openPage()
  const bob = await as('bob')
  await presses(page, 'What happened')
  const post = message(page, '/var is filling up')

  await choosesFor(post, 'Look up this alert')
  await presses(post, '2 replies')

  await seen(replies(page).filter({ hasText: 'asked by alice' }).getByText('Disk /var is 96 % full'))
  await seen(replies(page).getByText('Old logs, rotating them now.'))
  expect(await messages(page, 'asked by alice').count()).toBe(0)
  await seen(message(bob, '/var is filling up').getByRole('button', { name: '2 replies' }))
  await presses(page, 'Close thread')
  const drawer = page.getByRole('complementary', { name: 'What happened' })
  await seen(
    drawer.getByRole('article', {
      name: 'alice used the shortcut “Look up this alert” on a message of Disk checks',
    }),
  )
})
