// The Home tab: what the app publishes for one person, as it changes.
import { expect, it } from 'vitest'
import { readManifest } from '../../../playground/server/manifest.ts'
import { botCalls, plain } from './bot-calls.ts'
import { presses, seen } from './on-the-page.ts'
import { openPage } from './page-world.ts'

it('says so when the app has none', async () => {
  const { page } = await openPage({ manifest: { ...readManifest(), hasHomeTab: false } })

  await page.getByRole('link', { name: 'Home' }).click()

  await seen(page.getByText('Bellhop has nothing on its Home tab.'))
})

it('shows what was published for whoever looks, and tells the app what is pressed', async () => {
  // The bot hears of no look at the tab, so that nothing but this test publishes there.
  const { page, playground, as } = await openPage({ manifest: { ...readManifest(), botEvents: [] } })
  const { slack } = playground
  const publishes = (text: string) =>
    botCalls(playground, 'views.publish', {
      user_id: slack.person('alice').id,
      view: {
        type: 'home',
        blocks: [
          { type: 'section', text: { type: 'mrkdwn', text } },
          {
            type: 'actions',
            elements: [{ type: 'button', action_id: 'fresh', text: plain('Make it fresh') }],
          },
        ],
      },
    })

  await page.getByRole('link', { name: 'Home' }).click()
  await seen(page.getByText('Nothing here yet.'))
  await publishes('Good *morning*')
  await seen(page.getByRole('main').getByText('Good morning'))
  await presses(page, 'Make it fresh')
  await expect
    .poll(() => slack.deliveries.map(({ payload }) => payload.actions))
    .toContainEqual([expect.objectContaining({ action_id: 'fresh' })])
  await publishes('Good evening')
  await seen(page.getByRole('main').getByText('Good evening'))

  const bob = await as('bob')
  await bob.getByRole('link', { name: 'Home' }).click()
  await seen(bob.getByText('Nothing here yet.'))
})
