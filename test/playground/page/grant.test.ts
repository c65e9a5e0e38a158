// Grants: the form, a line, what is asked before, and what somebody is told who may not.
import { expect, it } from 'vitest'
import { dialog, gone, message, messages, presses, says, seen } from './on-the-page.ts'
import { openPage } from './page-world.ts'

it('takes a form, says what is wrong in it, asks about sensitive flags, and gives a receipt to share', async () => {
  const { page, playground, as } = await openPage()
  const bob = await as('bob')

  await says(page, '/grant')
  const form = dialog(page, 'Grant access')
  const container = form.getByRole('combobox', { name: 'Container' })
  const email = form.getByRole('textbox', { name: 'Email' })
  const role = form.getByRole('combobox', { name: 'Role' })
  await role.selectOption('Viewer')
  await seen(form.getByText(/4 flags: View the container/))
  await role.selectOption('Custom')
  for (const label of [
    'Viewing',
    'Alerts',
    'Assets and checks',
    'Administration',
    'Machine access',
  ])
    await seen(form.getByRole('group', { name: label }))
  await seen(form.getByText('View the container'))

  await container.fill('12')
  await form.getByRole('option', { name: /12/ }).first().click()
  await email.fill('dave at example')
  await presses(form, 'Grant access')
  const problem = form.getByRole('alert').filter({ hasText: 'Type an email address' })
  await seen(problem)
  await email.fill('dave@example.com')
  for (const ticked of ['View the logs', 'Open reporting and download reports'])
    await form.getByRole('checkbox', { name: new RegExp(`^${ticked}`) }).uncheck()
  await form.getByRole('checkbox', { name: /^Make API calls/ }).uncheck()
  await form
    .getByRole('group', { name: 'Administration' })
    .getByRole('checkbox', { name: /^Add users and manage/ })
    .check()
  await presses(form, 'Grant access')

  await gone(form)

  const question = message(page, 'Grant this access?')
  await seen(question.getByText('CONTAINER_ACCESS: Add users and manage their access rights'))
  expect(playground.service.membersOf(12).map(({ email }) => email)).not.toContain(
    'dave@example.com',
  )
  await presses(question, 'Grant access')

  const receipt = message(page, 'Granted')
  await seen(receipt.getByText('Only visible to you'))
  expect(playground.service.membersOf(12).at(-1)).toMatchObject({
    email: 'dave@example.com',
    permissions: ['READ', 'CONTAINER_ACCESS'],
  })
  expect(await messages(bob, 'Granted').count()).toBe(0)
  await presses(receipt, 'Share in channel')
  await seen(message(bob, 'Granted').getByText('requested by alice'))
})
