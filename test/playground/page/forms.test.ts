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

it('suggests while somebody types, by key and by pointer', async () => {
  const { page, playground } = await openPage()
  await says(page, '/grant 12 dave@example.com READ')
  await seen(message(page, 'Granted'))
  await says(page, '/grant')
  const form = dialog(page, 'Grant access')

  const container = form.getByRole('combobox', { name: 'Container' })
  await seen(container)
  await container.focus()
  await form.getByRole('option', { name: 'Customer 1 (12)', exact: true }).click()
  await container.blur()
  await container.focus()
  await seen(form.getByRole('listbox', { name: 'Suggestions' }))
  expect(await container.inputValue()).toBe('Customer 1 (12)')
  await page.keyboard.type('34')
  await seen(form.getByRole('option', { name: '34', exact: true }))
  await page.keyboard.press('Escape')
  await gone(form.getByRole('listbox', { name: 'Suggestions' }))
  expect(await container.inputValue()).toBe('Customer 1 (12)')
  await container.fill('twelve')
  await seen(form.getByText('No results'))
  await container.fill('34')
  await seen(form.getByRole('option', { name: '34', exact: true }))
  await container.press('Enter')
  await gone(form.getByRole('listbox', { name: 'Suggestions' }))

  await form.getByRole('textbox', { name: 'Email' }).fill('dave@example.com')
  await form.getByRole('combobox', { name: 'Role' }).selectOption('Viewer')
  await seen(form.getByText(/4 flags/))
  expect(await container.inputValue()).toBe('34')
  await presses(form, 'Grant access')
  await gone(form)
  const granted = () => playground.service.requests.filter(({ method }) => method === 'POST')
  await expect.poll(() => granted().at(-1)?.path).toContain('/34/')
})
