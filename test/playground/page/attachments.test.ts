// Attachments under messages: those of other tools, and what the bot shows of links.
import { expect, it } from 'vitest'
import { botCalls, channelCalled, plain } from './bot-calls.ts'
import { message, messages, presses, seen } from './on-the-page.ts'
import { sharedPage } from './page-world.ts'

const shared = sharedPage()

it('shows what the bot attaches to a link to everybody, and its buttons are pressed there', async () => {
  const { page, playground, as } = shared
  const bob = await as('bob')
  const { slack } = playground
  // Of the service, but no alert's: the bot by itself shows nothing of it.
  const url = 'https://monitoring.example.com/maintenance/7'
  const channel = channelCalled('on-call', playground)
  const { message: posted } = await slack.person('bob').writes(`Look: ${url}`, channel)
  const shows = (words: string) => {
    const refresh = { type: 'button', text: plain('Refresh'), action_id: 'fresh', value: 'one-hit' }
    const blocks = [{ type: 'section', text: plain(words), accessory: refresh }]
    return botCalls(playground, 'chat.unfurl', {
      channel: channel.id,
      ts: posted.ts,
      unfurls: { [url]: { blocks } },
    })
  }

  await shows('Open, six days left')
  for (const one of [page, bob]) await seen(message(one, 'Look:').getByText('Open, six days left'))
  await seen(message(page, 'Look:').getByText('Added by Bellhop'))
  await presses(message(page, 'Look:'), 'Refresh')
  await expect
    .poll(() => slack.deliveries.at(-1)?.payload)
    .toMatchObject({
      user: { id: slack.person('alice').id },
      container: { type: 'message_attachment', message_ts: posted.ts, app_unfurl_url: url },
      actions: [{ action_id: 'fresh', value: 'one-hit' }],
    })

  await shows('Closed')
  await seen(message(page, 'Look:').getByText('Closed'))
  expect(await messages(page, 'Open, six days left').count()).toBe(0)
})
