// A posted link, a quiet channel, and doctor, in the browser.
import { expect, it } from 'vitest'
import { message, messages, presses, says, seen } from './on-the-page.ts'
import { sharedPage } from './page-world.ts'

const shared = sharedPage()

it('shows the state of an alert below its link, to everybody', async () => {
  const { page, as } = shared
  const bob = await as('bob')

  await says(page, 'Look at https://monitoring.example.com/alert/disk-full please')

  await seen(message(bob, 'Look at').getByText('Disk /var is 96 % full'))
  await seen(message(bob, 'Look at').getByText(/CRITICAL · opened .* ago/))
})

it('examines what a request depends on, and proves the way back', async () => {
  const { page } = shared

  await says(page, '/alert doctor')
  const found = message(page, 'Test the way back')
  await seen(found.getByText('Only visible to you'))
  await presses(found, 'Test the way back')

  await seen(messages(page, /way back[\s\S]*arrived/i))
})

it('keeps quiet where the channel wants it so', async () => {
  const { page, as } = shared
  const bob = await as('bob')
  await says(bob, '/alert style quiet')
  await seen(message(page, 'bob set Bellhop to quiet'))

  await says(page, '/alert disk-full')

  await seen(message(page, 'this channel is set to quiet').getByText('Only visible to you'))
  expect(await messages(bob, 'asked by alice').count()).toBe(0)
})
