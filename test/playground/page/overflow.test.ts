// Overflow menus on messages: by pointer, keyboard and finger; entries that are links; cards that move meanwhile.
import type { Locator, Page } from 'playwright-core'
import { expect, it } from 'vitest'
import type { Playground } from '../../../playground/open-playground.ts'
import { botCalls, channelCalled, plain } from './bot-calls.ts'
import { focused, gone, message } from './on-the-page.ts'
import { sharedPage } from './page-world.ts'

const shared = sharedPage()

const link = 'https://monitoring.example.com/alert/one-hit'

/** A card with a button and a menu behind three dots, posted by the bot; posted again, it is updated. */
async function postsCard(playground: Playground, words = 'The shop is slow', ts?: string): Promise<void> {
  const overflow = {
    type: 'overflow',
    action_id: 'more',
    options: [
      { text: plain('Restart the shop'), value: 'restart' },
      { text: plain('Open in monitoring'), value: 'open', url: link },
      { text: plain('Grant access'), value: 'grant', description: plain('With this as the reason') },
    ],
  }
  const fresh = { type: 'button', action_id: 'fresh', text: plain('Refresh') }
  await botCalls(playground, ts === undefined ? 'chat.postMessage' : 'chat.update', {
    channel: channelCalled('on-call', playground).id,
    text: words,
    ...(ts !== undefined && { ts }),
    blocks: [
      { type: 'section', text: plain(words) },
      { type: 'actions', elements: [fresh, overflow] },
    ],
  })
}

const dots = (card: Locator) => card.getByRole('button', { name: 'More options' })
const entry = (page: Page, name: string) => page.getByRole('menu').getByRole('menuitem', { name })
const chosen = ({ slack }: Playground) => slack.deliveries.at(-1)?.payload.actions

it('are used by keyboard alone', async () => {
  const { page, playground } = shared
  const { keyboard } = page
  await postsCard(playground)
  const card = message(page, 'The shop is slow')

  await card.getByRole('button', { name: 'Refresh' }).focus()
  await keyboard.press('Tab')
  await focused(dots(card))
  await keyboard.press('Enter')
  await focused(entry(page, 'Restart the shop'))
  await keyboard.press('ArrowUp')
  await focused(entry(page, 'Grant access'))
  await keyboard.press('ArrowDown')
  await focused(entry(page, 'Restart the shop'))
  await keyboard.press('End')
  await focused(entry(page, 'Grant access'))
  await keyboard.press('Escape')
  await gone(page.getByRole('menu'))
  await focused(dots(card))

  await keyboard.press('ArrowUp')
  await focused(entry(page, 'Grant access'))
  await keyboard.press('Home')
  await keyboard.press('Space')
  await gone(page.getByRole('menu'))
  await focused(dots(card))
  await expect.poll(() => chosen(playground)).toMatchObject([{ selected_option: { value: 'restart' } }])

  await keyboard.press('ArrowDown')
  await focused(entry(page, 'Restart the shop'))
  await keyboard.press('Tab')
  await gone(page.getByRole('menu'))
  await focused(card.getByRole('button', { name: 'Reply in thread' }))
})
