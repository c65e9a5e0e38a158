// 20:00, planned work: a machine is put in maintenance from Slack, whoever looks at the channel sees it, and it ends.
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { channelCalled } from './bot-calls.ts'
import { dialog, gone, message, presses, replies, says, seen } from './on-the-page.ts'
import { openPage } from './page-world.ts'

const desktop = { width: 1280, height: 860 }
const phone = { width: 390, height: 844 }

/** On cards, and in the follow’s own message. */
const shown = /🔧 db-03 is in maintenance until .* \(Alice Archer\)/

/** Alice’s window: #on-call follows container 12, and has a live card of an alert on db-03. */
async function opensOnCall(viewport: typeof desktop) {
  const { page, playground } = await openPage({ viewport })
  await says(page, '/alert follow 12')
  await presses(message(page, 'Follow Customer 1 (12) in this channel?'), 'Follow')
  const own = message(page, 'Following Customer 1 (12)')
  await seen(own)
  await says(page, `/alert ${playground.service.linkOf('disk-full')} watch`)
  const card = message(page, 'asked by alice')
  await seen(card.getByText('db-03 · CRITICAL'))
  const mode = () => playground.service.modeOf('asset/31').mode
  const [alice, bob] = [playground.slack.person('alice'), playground.slack.person('bob')]
  return { page, alice, bob, onCall: channelCalled('on-call', playground), own, card, mode }
}

const opensTrouble = (page: Page) => page.getByRole('button', { name: /^Trouble/ }).click()

it.each([
  ['a desktop', desktop],
  ['a phone', phone],
])('begins with a line, and is over two hours later, on %s', async (_, viewport) => {
  const { page, bob, onCall, own, card, mode } = await opensOnCall(viewport)

  await says(page, '/alert maintenance db-03 for 2h')
  const question = message(page, 'Put db-03 (Customer 1) in maintenance until')
  await seen(question)
  expect(mode()).toBe('normal')
  await presses(question, 'Start maintenance')
  await seen(message(page, '🔧 Alice Archer put db-03 in maintenance until'))
  await seen(own.getByText(shown))
  await seen(card.getByText(shown))
  expect(mode()).toBe('maintenance')
  await says(page, '/alert maintenance 12')
  const list = message(page, 'In maintenance in Customer 1 (12)')
  await seen(list.getByText('web-17 · monitoring doesn’t say until when'))
  await seen(list.getByText(/db-03 · until .*, by Alice Archer/))

  await opensTrouble(page)
  await presses(dialog(page, 'Trouble'), 'An hour later')
  await presses(dialog(page, 'Trouble'), 'An hour later')
  await bob.sees('✅ db-03 is monitored again', onCall)
  await page.keyboard.press('Escape')
  await seen(message(page, '✅ db-03 is monitored again'))
  await gone(own.getByText(shown))
  await gone(card.getByText(shown))
  expect(mode()).toBe('normal')
  expect(
    await page.evaluate<number>(
      'document.documentElement.scrollWidth - document.documentElement.clientWidth',
    ),
  ).toBe(0)
})

it('begins in a form on a card, and is said to be on still after its time, until it is ended', async () => {
  const { page, alice, onCall, card, mode } = await opensOnCall(phone)
  await card.getByRole('button', { name: 'More options' }).click()
  await page.getByRole('menuitem', { name: 'Maintenance…' }).click()
  const form = dialog(page, 'Maintenance')
  await seen(form.getByText('Channels that follow Customer 1 (12) will hear of it'))
  await form.getByRole('combobox', { name: 'For how long' }).selectOption('30 minutes')
  await presses(form, 'Start maintenance')
  await gone(form)
  await card.getByRole('button', { name: '2 replies' }).click()
  await seen(replies(page).filter({ hasText: '🔧 Alice Archer put db-03 in maintenance until' }))
  await presses(page, 'Close thread')

  await opensTrouble(page)
  const somebody = { name: 'Somebody puts db-03 in maintenance' }
  await page.getByRole('switch', somebody).click()
  await seen(page.getByRole('switch', { ...somebody, checked: true }))
  await presses(dialog(page, 'Trouble'), 'An hour later')
  const still = '⚠️ db-03 is still in maintenance. It should have ended'
  await alice.sees(still, onCall)
  await alice.sees(still, alice.dm)
  await page.keyboard.press('Escape')
  await seen(card.getByText(/it should have ended .* \(Alice Archer\)/))

  await says(page, '/alert maintenance db-03 off')
  await presses(message(page, 'Only visible to you'), 'End maintenance')
  await seen(message(page, '✅ db-03 is monitored again'))
  expect(mode()).toBe('normal')
})
