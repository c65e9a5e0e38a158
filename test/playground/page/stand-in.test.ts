// The stand-in service in the sidebar: believable alerts first, a menu of events for each, and a way back to the start.
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { focused, gone, message, newEvent, presses, says, seen } from './on-the-page.ts'
import { openPage, sharedPage } from './page-world.ts'

const shared = sharedPage({ viewport: { width: 1280, height: 860 } })

const service = (page: Page) => page.getByRole('region', { name: 'Stand-in service' })

const believable = ['disk-full', 'web server 503', 'one-hit', 'replica-lag', 'backup-missed']

/** Keys of the alerts that are seen whole without scrolling. */
async function keysInSight(page: Page): Promise<readonly string[]> {
  return page.evaluate<string[]>(`{
    const { bottom } = document.querySelector('.s-sidebar-scroll').getBoundingClientRect()
    const rows = [...document.querySelectorAll('.d-alert')].filter((row) => row.checkVisibility())
    rows.filter((row) => row.getBoundingClientRect().bottom <= bottom + 1)
      .map((row) => row.querySelector('code').textContent)
  }`)
}

it('shows the believable alerts, message first, and folds the edge cases', async () => {
  const { page } = shared

  expect(await keysInSight(page)).toEqual(believable)
  const row = service(page).getByRole('listitem').first()
  expect((await row.innerText()).split('\n').filter((line) => line.trim() !== '')).toEqual([
    expect.stringContaining('🔴'),
    'Disk /var is 96 % full',
    'disk-full',
    'New event',
  ])

  const odd = service(page).getByText('Kinds that the contract does not name')
  expect(await odd.isVisible()).toBe(false)
  await service(page).getByText('Edge cases').click()
  await seen(odd)
  await service(page).getByText('Edge cases').click()
  await gone(odd)
})

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
