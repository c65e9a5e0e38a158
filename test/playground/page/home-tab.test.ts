// The Home tab of the real bot: somebody new connects there, sees what they did, stops a watch, and disconnects.
import { expect, it } from 'vitest'
import { dialog, focused, goesTo, gone, message, presses, says, seen } from './on-the-page.ts'
import { openPage } from './page-world.ts'

it('connects somebody new, and follows what they do', async () => {
  const { page, playground } = await openPage({ as: 'carol' })
  const { demoToken = '' } = playground.players.find(({ person }) => person.name === 'carol') ?? {}
  const home = page.getByRole('main')
  const opensHome = () => page.getByRole('link', { name: 'Home' }).click()

  await opensHome()
  await seen(home.getByText('Connect your monitoring account'))
  await presses(home, 'Connect account')
  const form = dialog(page, 'Connect account')
  const token = form.getByRole('textbox', { name: 'API token' })
  await focused(token)
  await token.fill(demoToken)
  await presses(form, 'Connect account')
  await seen(form.getByText('Connected.'))
  await form.getByRole('button', { name: 'Close' }).last().click()
  await gone(form)
  await seen(home.getByText('Connected since'))

  await goesTo(page, 'on-call')
  await says(page, '/alert disk-full watch')
  await seen(message(page, '👁'))
  await opensHome()
  await seen(home.getByRole('heading', { name: 'Live' }))
  await presses(home, 'Stop watching')
  await gone(home.getByRole('heading', { name: 'Live' }))

  await presses(home, 'Look up again')
  const lookUp = dialog(page, 'Look up an alert')
  await expect
    .poll(() => lookUp.getByRole('textbox', { name: 'Alert key' }).inputValue())
    .toBe('disk-full')
  await presses(lookUp, 'Look up')
  await gone(lookUp)
  await presses(home, 'Grant access')
  await presses(dialog(page, 'Grant access'), 'Cancel')

  await presses(home, 'Disconnect')
  const question = page.getByRole('alertdialog', { name: 'Disconnect' })
  await seen(question.getByText('I delete your token'))
  await presses(question, 'Cancel')
  await gone(question)
  await presses(home, 'Disconnect')
  await presses(question, 'Disconnect')
  await seen(home.getByText('Connect your monitoring account'))

  await home.getByRole('link', { name: 'See the card' }).first().click()
  await seen(message(page, 'Disk /var is 96 % full'))
})
