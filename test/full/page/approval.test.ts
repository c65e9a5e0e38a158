// Four eyes, in the browser: Bob may not grant, asks, and Alice approves.
import { expect, it } from 'vitest'
import { dialog, gone, message, presses, says, seen } from '../../playground/page/on-the-page.ts'
import { openPage } from '../../playground/page/page-world.ts'

const line = '/grant 12 dave@example.com viewer'

it('asks a colleague, who approves with their own account, and both see what became of it', async () => {
  const { page, playground, as } = await openPage({ as: 'bob' })
  const alice = await as('alice')

  await says(page, line)
  await presses(message(page, 'Not granted'), 'Ask for approval')
  const form = dialog(page, 'Ask for approval')
  await seen(form.getByText('dave@example.com'))
  await form.getByRole('textbox', { name: 'Reason' }).fill('Dave is on call this week')
  await presses(form, 'Ask for approval')
  await gone(form)

  const card = message(alice, '🔑')
  await seen(card.getByText('Dave is on call this week'))
  expect(playground.service.membersOf(12).map(({ email }) => email)).not.toContain(
    'dave@example.com',
  )
  await presses(card, 'Approve')

  await seen(message(alice, 'Granted by alice').getByText('dave@example.com'))
  await seen(message(page, 'Granted by alice'))
  expect(playground.service.membersOf(12).at(-1)).toMatchObject({ email: 'dave@example.com' })
  await gone(message(alice, 'Granted by alice').getByRole('button', { name: 'Approve' }))
})
