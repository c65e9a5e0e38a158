// A posted link and doctor, in the browser.
import { it } from 'vitest'
import { message, says, seen } from './on-the-page.ts'
import { sharedPage } from './page-world.ts'

const shared = sharedPage()

it('shows the state of an alert below its link, to everybody', async () => {
  const { page, as, playground } = shared
  const bob = await as('bob')

  await says(page, `Look at ${playground.service.linkOf('disk-full')} please`)

  await seen(message(bob, 'Look at').getByText('Disk /var is 96 % full'))
  await seen(message(bob, 'Look at').getByText(/CRITICAL · opened .* ago/))
})

it('checks what a request depends on', async () => {
  const { page } = shared

  await says(page, '/alert doctor')

  const found = message(page, /All \d+ checks passed/)
  await seen(found.getByText('Only visible to you'))
  await seen(found.getByText(/Slack accepts it/))
})
