// Who has access, as on a phone: Dave has changed teams. Alice finds him, changes him, takes it back, and invites another.
import { expect, it } from 'vitest'
import { dialog, gone, message, presses, says, seen } from './on-the-page.ts'
import { openPage } from './page-world.ts'

it('is listed, changed and taken back, each after one question; whom monitoring doesn’t know is invited', async () => {
  const { page, playground } = await openPage({ viewport: { width: 390, height: 844 } })
  const { service } = playground
  const nilsHas = () =>
    service.membersOf(12).find(({ email }) => email === 'nils@example.com')?.permissions

  await says(page, '/grant who 12')
  const list = message(page, 'people on Customer 1 (12)')
  for (const words of [
    'others may be hidden',
    'Viewer and WEBHOOKS',
    'from a parent container',
    'address hidden',
  ])
    await seen(list.getByText(words))
  await seen(list.getByText('Invited: pat@example.com, as Viewer'))

  await says(page, '/grant who 12 nils@example.com')
  const nils = message(page, '1 of 9 people on')
  await nils.getByRole('button', { name: 'More options' }).click()
  await page.getByRole('menuitem', { name: 'Change…' }).click()
  const form = dialog(page, 'Change access')
  await seen(form.getByText('Nils Nowak (nils@example.com) on Customer 1 (12)'))
  await form.getByRole('combobox', { name: 'Role' }).selectOption('Responder')
  await presses(form, 'Change access')
  await gone(form)
  const question = message(page, 'Change Nils Nowak')
  await seen(question.getByText('Viewer and WEBHOOKS → Responder'))
  await presses(question, 'Change access')
  const changed = message(page, 'Changed: nils@example.com is now Responder')
  await seen(changed)
  expect(nilsHas()).not.toContain('WEBHOOKS')

  await changed.getByRole('button', { name: 'More options' }).click()
  await page.getByRole('menuitem', { name: 'Remove…' }).click()
  await presses(message(page, 'Remove Nils Nowak (nils@example.com)'), 'Remove access')
  await seen(message(page, 'Removed: nils@example.com is no longer on Customer 1 (12)'))
  expect(nilsHas()).toBeUndefined()

  await says(page, '/grant 12 new@example.com viewer')
  await presses(message(page, 'I can’t see new@example.com'), 'Invite by email')
  await presses(message(page, 'Invite new@example.com to Customer 1 (12)?'), 'Invite by email')
  await seen(message(page, 'Invited: new@example.com'))
  expect(service.invitationsOf(12).map(({ email }) => email)).toEqual([
    'pat@example.com',
    'new@example.com',
  ])
})
