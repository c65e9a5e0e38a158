// The app's shortcuts beside the message box: its forms, without a command.
import { it } from 'vitest'
import { dialog, goesTo, message, presses, seen } from './on-the-page.ts'
import { openPage } from './page-world.ts'

it('open a form from anywhere, and the card lands where one chooses', async () => {
  const { page, playground } = await openPage()
  const shop = [...playground.slack.workspace.channels.values()].find(({ name }) => name === 'shop')

  await presses(page, 'Shortcuts')
  await page.getByRole('menuitem', { name: /Look up an alert/ }).click()
  const form = dialog(page, 'Look up an alert')
  await form.getByRole('textbox', { name: 'Alert key' }).fill('disk-full')
  await form.getByRole('combobox', { name: 'Post to' }).selectOption(shop?.id ?? '')
  await presses(form, 'Look up an alert')

  await goesTo(page, 'shop')
  await seen(message(page, 'asked by alice'))
})
