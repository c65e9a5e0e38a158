// Four eyes, in the browser: Bob may not grant, asks, and Alice approves.
import { expect, it } from 'vitest'
import { dialog, gone, message, presses, says, seen, thread } from '../../playground/page/on-the-page.ts'
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
  expect(playground.service.membersOf(12).map(({ email }) => email)).not.toContain('dave@example.com')
  await presses(card, 'Approve')

  await seen(message(alice, 'Granted by alice').getByText('dave@example.com'))
  await seen(message(page, 'Granted by alice'))
  expect(playground.service.membersOf(12).at(-1)).toMatchObject({ email: 'dave@example.com' })
  await gone(message(alice, 'Granted by alice').getByRole('button', { name: 'Approve' }))
})

it('declines with a reason, which stands on the card', async () => {
  const { page, as } = await openPage({ as: 'bob' })
  const alice = await as('alice')
  await says(page, line)
  await presses(message(page, 'Not granted'), 'Ask for approval')
  const form = dialog(page, 'Ask for approval')
  await form.getByRole('textbox', { name: 'Reason' }).fill('Please')
  await presses(form, 'Ask for approval')

  await presses(message(alice, '🔑'), 'Decline')
  const decline = dialog(alice, 'Decline request')
  await decline.getByRole('textbox', { name: 'Reason' }).fill('Ask Erin first')
  await presses(decline, 'Decline')

  await seen(message(page, 'declined by alice').getByText('Ask Erin first'))
})

it('grants for an alert from the menu of its card, told in its thread', async () => {
  const { page, as } = await openPage()
  const bob = await as('bob')
  await says(page, '/alert disk-full')
  const card = message(page, 'asked by alice')
  await seen(card)

  await presses(card, 'More options')
  await page.getByRole('menuitem', { name: 'Grant access' }).click()
  const form = dialog(page, 'Grant access')
  await seen(form.getByText(/For alert “Disk/))
  await form.getByRole('combobox', { name: 'Container' }).fill('12')
  await form.getByRole('option', { name: /12/ }).first().click()
  await form.getByRole('textbox', { name: 'Email' }).fill('dave@example.com')
  await form.getByRole('combobox', { name: 'Role' }).selectOption('Viewer')
  await seen(form.getByText(/4 flags: View the container/))
  await presses(form, 'Grant access')

  const seenByBob = message(bob, 'asked by alice')
  await seenByBob.getByRole('button', { name: /replies/ }).click()
  await seen(thread(bob).getByText(/requested by alice, for alert “Disk/))
})

it('grants to several people, one line each', async () => {
  const { page } = await openPage()

  await says(page, '/grant 12 dave@example.com,nobody@example.com viewer')

  const result = message(page, '1 of 2 granted')
  await seen(result.getByText(/✅ dave@example.com/))
  await seen(result.getByText(/⛔ nobody@example.com/))
})
