// The menu “Trouble”: what a person sees on each of the bad days that it can order.
import type { Page } from 'playwright-core'
import { describe, it } from 'vitest'
import { gone, message, messageBox, messages, says, seen } from './on-the-page.ts'
import { openPage } from './page-world.ts'

/** Of the longest wait that a trouble brings. */
const LATE_MS = 8_000

function troubleSwitch(page: Page, label: string) {
  return page.getByRole('dialog', { name: 'Trouble' }).getByRole('switch', { name: label, exact: true })
}

async function switches(page: Page, label: string, isOn: boolean): Promise<void> {
  await page.getByRole('button', { name: /^Trouble/ }).click()
  await troubleSwitch(page, label).click()
  await seen(page.getByRole('switch', { name: label, exact: true, checked: isOn }))
  await page.keyboard.press('Escape')
  await gone(page.getByRole('switch'))
}

const alert = '/alert one-hit'
const card = 'Certificate expires in 6 days'
const grant = '/grant 12 dave@example.com viewer'

/** Label, what is typed, what is seen then, what is seen of the same when it is over. */
const rows: readonly (readonly [string, string, string | RegExp, string | RegExp])[] = [
  ['Answers after 4 seconds', alert, card, card],
  ['Is down', alert, 'The monitoring service does not answer.', card],
  ['Answers “too many requests”', alert, 'The monitoring service is busy', card],
  ['Cuts the connection in the middle of the next grant', grant, '⚠️ Not certain', 'it was sent once'],
  ['Answers something else than its contract says', alert, 'does not understand', card],
  ['Alice Archer’s token is revoked', alert, 'Your token is no longer accepted', card],
  ['Answers “too many requests” to the next message', alert, card, card],
  ['Takes 2.5 seconds for messages and forms', alert, card, card],
  ['Cuts the connection of the next message', alert, card, card],
  ['Lets nobody but admins post', alert, card, card],
  ['Bellhop is not in #on-call', alert, card, card],
  ['Bellhop is stopped', alert, '/alert failed with the error "dispatch_failed"', card],
]

describe.concurrent('a bad day', () => {
  it.for(rows)('%s', async ([label, line, then, after], context) => {
    const { page } = await openPage({}, context)
    page.setDefaultTimeout(LATE_MS)
    await switches(page, label, true)
    await says(page, line)
    await seen(message(page, then))

    if (await isOn(page, label)) await switches(page, label, false)
    await messageBox(page).focus()
    await says(page, line)
    await seen(messages(page, after).nth(then === after ? 1 : 0))
  })
})

/** What happens once goes off by itself. */
async function isOn(page: Page, label: string): Promise<boolean> {
  await page.getByRole('button', { name: /^Trouble/ }).click()
  const isChecked = await troubleSwitch(page, label).isChecked()
  await page.keyboard.press('Escape')
  await gone(page.getByRole('switch'))
  return isChecked
}
