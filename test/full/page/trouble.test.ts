// The menu “Trouble”: what a person sees on each of the bad days that it can order.
import type { Page } from 'playwright-core'
import { it } from 'vitest'
import { gone, messages, says, seen } from '../../playground/page/on-the-page.ts'
import { openPage } from '../../playground/page/page-world.ts'

/** Of the longest wait that a trouble brings. */
const LATE_MS = 8_000

function troubleSwitch(page: Page, label: string) {
  return page
    .getByRole('dialog', { name: 'Trouble' })
    .getByRole('switch', { name: label, exact: true })
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

/** Label, what is typed, what is seen then. */
const days: readonly (readonly [string, string, string])[] = [
  ['Answers “too many requests”', alert, 'Monitoring is busy'],
  ['Alice Archer’s token is revoked', alert, 'Monitoring no longer accepts your token'],
  ['Cuts the connection in the middle of the next grant', grant, 'is now Viewer on'],
  ['Is down', alert, 'Monitoring isn’t responding.'],
  ['Cuts the connection of the next message', alert, card],
  ['Restrict posting', alert, card],
  ['Remove Bellhop', alert, card],
  ['Bellhop is stopped', alert, '/alert failed with the error "dispatch_failed"'],
]

it('a person is told, and all is well afterwards, when the service or Slack fails, or the bot is stopped', async () => {
  const { page } = await openPage()
  page.setDefaultTimeout(LATE_MS)
  for (const [label, line, told] of days) {
    await switches(page, label, true)
    await saysAndSees(page, line, told)
    // What happens once goes off by itself.
    if (await isOn(page, label)) await switches(page, label, false)
  }
  await saysAndSees(page, alert, card)
})

/** Sees it once more than before. */
async function saysAndSees(page: Page, line: string, words: string): Promise<void> {
  const before = await messages(page, words).count()
  await says(page, line)
  await seen(messages(page, words).nth(before))
}

async function isOn(page: Page, label: string): Promise<boolean> {
  await page.getByRole('button', { name: /^Trouble/ }).click()
  const isChecked = await troubleSwitch(page, label).isChecked()
  await page.keyboard.press('Escape')
  await gone(page.getByRole('switch'))
  return isChecked
}
