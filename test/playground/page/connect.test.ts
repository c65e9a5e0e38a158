// Somebody new asks for an alert, connects an account on the way, and gets what they asked for.
import { expect, it } from 'vitest'
import { dialog, focused, gone, message, messages, presses, says, seen } from './on-the-page.ts'
import { openPage } from './page-world.ts'

it('asks to connect first, says what is wrong with a token, and goes on by itself', async () => {
  const { page, playground } = await openPage({ as: 'carol' })
  const { demoToken = '' } = playground.players.find(({ person }) => person.name === 'carol') ?? {}

  await says(page, '/alert disk-full')
  const prompt = message(page, 'To look this up, I need your monitoring account')
  await seen(prompt.getByText('Only visible to you'))
  await presses(prompt, 'Connect account')

  const form = dialog(page, 'Connect account')
  const token = form.getByRole('textbox', { name: 'API token' })
  await focused(token)
  await token.fill('two words')
  await presses(form, 'Connect account')
  await seen(form.getByRole('alert').filter({ hasText: 'That isn’t a token.' }))
  expect(await token.getAttribute('aria-invalid')).toBe('true')

  await token.fill('wrong-token')
  await presses(form, 'Connect account')
  await seen(form.getByText('Monitoring doesn’t accept this token (401).'))

  await token.fill(demoToken)
  await presses(form, 'Connect account')
  await seen(form.getByText('Connected. I’m finishing what you asked for.'))
  await form.getByRole('button', { name: 'Close' }).last().click()
  await gone(form)
  await seen(message(page, 'Disk /var is 96 % full').getByText('asked by carol'))
  await gone(messages(page, 'To look this up'))
})
