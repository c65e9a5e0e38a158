// The app's shortcuts: its forms, without a command, beside the message box; and those in a message's menu.
import { expect, it } from 'vitest'
import { choosesFor, message, messages, presses, replies, seen } from './on-the-page.ts'
import { openPage } from './page-world.ts'

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
