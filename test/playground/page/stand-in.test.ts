// The stand-in service in the sidebar: believable alerts first, a menu of events for each, and a way back to the start.
import type { Page } from 'playwright-core'
import { it } from 'vitest'
import { focused, gone, message, newEvent, presses, says, seen } from './on-the-page.ts'
import { openPage } from './page-world.ts'

const service = (page: Page) => page.getByRole('region', { name: 'Stand-in service' })

it('is as it was at the start after a reset, which asks first', async () => {
  const { page, as } = await openPage()
  await newEvent(page, 'It is closed')
  await says(page, '/alert disk-full')
  await seen(message(page, 'asked by alice').getByText(/Closed .* was CRITICAL/))
  const button = service(page).getByRole('button', { name: 'Reset' })
  const question = page.getByRole('alertdialog', { name: 'Reset the stand-in service?' })

  await button.click()
  await seen(question.getByText('Slack messages stay'))
  await presses(question, 'Cancel')
  await gone(question)
  await focused(button)
  await seen(service(page).getByRole('listitem').first().getByRole('img', { name: 'closed' }))

  await button.click()
  await presses(question, 'Reset')
  await seen(page.getByText('The stand-in service is back as it was at the start.'))
  await seen(service(page).getByRole('listitem').first().getByRole('img', { name: 'open' }))
  // Bellhop shares what one person read for a few seconds.
  await says(await as('bob'), '/alert disk-full')
  await seen(message(page, 'asked by bob').getByText('CRITICAL, was WARNING'))
  await seen(message(page, 'asked by alice').getByText(/Closed .* was CRITICAL/))
})
