// The menu “Trouble”, where it is about the channel that is looked at: a card that goes, and a channel that takes no posts.
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import type { Playground } from '../../../playground/open-playground.ts'
import { botCalls, channelCalled } from './bot-calls.ts'
import { goesTo, gone, message, messages, presses, says, seen } from './on-the-page.ts'
import { openPage } from './page-world.ts'

const menu = (page: Page) => page.getByRole('dialog', { name: 'Trouble' })
const opensMenu = (page: Page) => page.getByRole('button', { name: /^Trouble/ }).click()

/** Slack's answer to a call of the bot. */
async function answerTo(playground: Playground, method: string, args: object): Promise<unknown> {
  await botCalls(playground, method, args)
  return playground.slack.calls.findLast((call) => call.method === method)?.answer
}

it('deletes Bellhop’s newest message, which can neither be changed nor replied to then', async () => {
  const { page, playground } = await openPage()
  await says(page, '/alert disk-full')
  await seen(message(page, 'asked by alice').getByRole('button', { name: '1 reply' }))
  const channel = channelCalled('on-call', playground)
  const { ts } = playground.slack.messagesIn(channel).find(({ byBot }) => byBot) ?? {}

  await opensMenu(page)
  await presses(menu(page), 'Delete a card')

  await seen(page.getByText('Bellhop’s newest message here is deleted.'))
  await gone(message(page, 'asked by alice'))
  const words = { channel: channel.id, text: 'Still there?' }
  expect(await answerTo(playground, 'chat.update', { ...words, ts })).toMatchObject({
    error: 'message_not_found',
  })
  expect(await answerTo(playground, 'chat.postMessage', { ...words, thread_ts: ts })).toMatchObject(
    {
      error: 'thread_not_found',
    },
  )
})

it('restricts posting in one channel, until it is switched off', async () => {
  const { page, playground } = await openPage()
  const { id: channel } = channelCalled('on-call', playground)
  const { id: shop } = channelCalled('shop', playground)
  await botCalls(playground, 'chat.postMessage', { channel, text: 'Posted before' })
  await seen(message(page, 'Posted before'))
  const { ts } = playground.slack.workspace.messages.at(-1) ?? {}
  const restricts = (checked: boolean) =>
    menu(page).getByRole('switch', { name: 'Restrict posting', exact: true, checked })

  await opensMenu(page)
  await restricts(false).click()
  await seen(restricts(true))
  await page.keyboard.press('Escape')

  expect(await answerTo(playground, 'chat.postMessage', { channel, text: 'Refused' })).toEqual({
    ok: false,
    error: 'restricted_action_read_only_channel',
  })
  await botCalls(playground, 'chat.update', { channel, ts, text: 'Changed since' })
  await seen(message(page, 'Changed since'))
  await botCalls(playground, 'chat.postMessage', { channel, text: 'A reply', thread_ts: ts })
  await seen(message(page, 'Changed since').getByRole('button', { name: '1 reply' }))
  await botCalls(playground, 'chat.postMessage', { channel: shop, text: 'Elsewhere' })
  await goesTo(page, 'shop')
  await seen(message(page, 'Elsewhere'))
  await opensMenu(page)
  await seen(restricts(false))
  await page.keyboard.press('Escape')

  await goesTo(page, 'on-call')
  await page.getByRole('button', { name: 'Trouble, 1 on' }).click()
  await restricts(true).click()
  await seen(restricts(false))
  await botCalls(playground, 'chat.postMessage', { channel, text: 'Posted again' })
  await seen(message(page, 'Posted again'))
  expect(await messages(page, 'Refused').count()).toBe(0)
})
