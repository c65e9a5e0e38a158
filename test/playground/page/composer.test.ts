// The message box: commands completed from the manifest, lines recalled, and what Slack answers by itself.
import { it } from 'vitest'
import { message, presses, replies, says, seen, thread } from './on-the-page.ts'
import { sharedPage } from './page-world.ts'

const shared = sharedPage()

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
  const box = thread(page).getByRole('textbox', { name: 'Reply in thread' })

  await box.fill('/alert one-hit')
  await box.press('Enter')
  await seen(replies(page).getByText('/alert is not supported in threads. Sorry!'))
  await box.fill('Renewed it.')
  await box.press('Enter')
  await seen(replies(page).getByText('Renewed it.'))
  await seen(message(page, 'Certificate expires').getByRole('button', { name: /^[23] replies$/ }))
})
