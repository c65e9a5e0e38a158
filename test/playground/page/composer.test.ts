// The message box: commands completed from the manifest, lines recalled, and what Slack answers by itself.
import { expect, it } from 'vitest'
import { message, messageBox, presses, replies, says, seen, thread } from './on-the-page.ts'
import { sharedPage } from './page-world.ts'

const shared = sharedPage()

it('completes commands and shows how they go on', async () => {
  const { page } = shared
  const box = messageBox(page)

  await box.fill('/')
  const offers = page.getByRole('listbox', { name: 'Commands' }).getByRole('option')
  await expect.poll(() => offers.count()).toBe(3)
  await seen(offers.filter({ hasText: '/alert' }).getByText('Look up an alert'))
  await box.press('ArrowDown')
  await expect.poll(() => offers.nth(1).getAttribute('aria-selected')).toBe('true')
  await box.press('Enter')

  await expect.poll(() => box.inputValue()).toBe('/grant ')
  expect(await offers.count()).toBe(0)
  await seen(page.getByText('<container> <email or @person> [role or flags]'))

  await box.fill('/gr')
  await seen(offers)
  await box.press('Escape')
  await expect.poll(() => offers.count()).toBe(0)
  expect(await box.inputValue()).toBe('/gr')

  await box.fill('')
  await box.fill('/gr')
  await seen(offers)
})

it('brings back what was sent before', async () => {
  const { page } = shared
  const box = messageBox(page)
  await says(page, 'first line')
  await says(page, '/alert help')
  await seen(message(page, '/alert <key> private'))

  await box.press('ArrowUp')
  expect(await box.inputValue()).toBe('/alert help')
  await box.press('ArrowUp')
  expect(await box.inputValue()).toBe('first line')
})

it('refuses, as Slack does, commands that nobody owns', async () => {
  const { page } = shared

  await says(page, '/alarm disk-full')
  const refusal = message(page, '/alarm is not a valid command')
  await seen(refusal.getByText('Only visible to you'))
  await seen(page.getByRole('article', { name: /^Slackbot, / }))
})

it('refuses, as Slack does, commands in threads, and takes replies there', async () => {
  const { page } = shared
  await says(page, '/alert one-hit')
  await presses(message(page, 'Certificate expires'), '1 reply')
  const box = thread(page).getByRole('combobox', { name: 'Reply in thread' })

  await box.fill('/alert one-hit')
  await box.press('Enter')
  await seen(replies(page).getByText('/alert is not supported in threads. Sorry!'))
  await box.fill('Renewed it.')
  await box.press('Enter')
  await seen(replies(page).getByText('Renewed it.'))
  await seen(message(page, 'Certificate expires').getByRole('button', { name: /^[23] replies$/ }))
})
