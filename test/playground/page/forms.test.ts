// Forms on their way to the bot and back: the wait, what is changed in its place, what did not get through.
import { expect, it } from 'vitest'
import { dialog, focused, gone, message, messageBox, presses, says, seen } from './on-the-page.ts'
import { openPage } from './page-world.ts'

it('shows that a form is on its way, and what takes its place', async () => {
  const { page, playground } = await openPage({ as: 'carol' })
  const { demoToken = '' } = playground.players.find(({ person }) => person.name === 'carol') ?? {}
  await says(page, '/alert connect')
  const form = dialog(page, 'Connect account')
  await form.getByRole('textbox', { name: 'API token' }).fill(demoToken)
  // Longer than the bot keeps its answer to a form back for.
  playground.service.trouble.slow(1_800)
  const { promise: goesOn, resolve: goOn } = Promise.withResolvers<void>()
  await page.route('**/act', async (route) => {
    await goesOn
    await route.continue()
  })

  const submit = form.getByRole('button', { name: 'Connect account' })
  await submit.click()
  await seen(form.getByRole('button', { name: 'Connect account', disabled: true }))
  expect(await submit.getAttribute('aria-busy')).toBe('true')
  goOn()
  await seen(form.getByText('Checking…'))
  await seen(form.getByText('Connected.'))
  await page.keyboard.press('Escape')
  await gone(form)
  await focused(messageBox(page))
})

it('looks an alert up from a form, in the conversation that is chosen', async () => {
  const { page, playground } = await openPage()
  const shop = [...playground.slack.workspace.channels.values()].find(({ name }) => name === 'shop')
  await messageBox(page).fill('/alert ')
  await messageBox(page).press('Enter')
  const form = dialog(page, 'Look up an alert')

  await presses(form, 'Look up')
  await seen(form.getByRole('alert'))
  await form.getByRole('textbox', { name: 'Alert key' }).fill('web server 503')
  await form.getByRole('combobox', { name: 'Post to' }).selectOption(shop?.id ?? '')
  await presses(form, 'Look up')
  await gone(form)
  await page.getByRole('link', { name: 'shop' }).click()
  await seen(message(page, 'shop.example.com answers 503'))
})
