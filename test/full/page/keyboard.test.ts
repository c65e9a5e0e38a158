// A whole journey without a pointing device: what has the focus is never looked for, only walked to.
import type { Locator, Page } from 'playwright-core'
import { expect, it } from 'vitest'
import {
  dialog,
  focused,
  gone,
  message,
  messageBox,
  replies,
  seen,
  thread,
} from '../../playground/page/on-the-page.ts'
import { openPage, sharedPage } from '../../playground/page/page-world.ts'

const shared = sharedPage()

const FURTHEST = 60

/** Presses a key until this has the focus. */
async function walksTo(page: Page, target: Locator, key: 'Tab' | 'Shift+Tab'): Promise<void> {
  const here = target.and(page.locator(':focus'))
  for (let steps = 0; steps < FURTHEST; steps += 1) {
    if ((await here.count()) > 0) return
    await page.keyboard.press(key)
  }
  throw new Error(`${target} is not reached with ${key}`)
}

it('is played by keyboard alone', async () => {
  const { page } = shared
  const { keyboard } = page

  await walksTo(page, messageBox(page), 'Tab')
  await keyboard.type('/alert disk-full')
  await keyboard.press('Enter')
  const card = message(page, 'asked by alice')
  await seen(card.getByRole('button', { name: '1 reply' }))
  await focused(messageBox(page))

  await walksTo(page, page.getByRole('button', { name: 'New event for disk-full' }), 'Shift+Tab')
  await keyboard.press('Enter')
  await focused(page.getByRole('menuitem', { name: 'What comes next' }))
  await keyboard.press('Enter')
  await walksTo(page, card.getByRole('button', { name: 'More options' }), 'Tab')
  await keyboard.press('Enter')
  await focused(page.getByRole('menuitem', { name: 'Refresh' }))
  await keyboard.press('Enter')
  await seen(card.getByRole('button', { name: '2 replies' }))

  await walksTo(page, card.getByRole('button', { name: '2 replies' }), 'Tab')
  await keyboard.press('Enter')
  await seen(replies(page).getByText('Looking into it.'))
  await walksTo(page, thread(page).getByRole('button', { name: 'Close thread' }), 'Tab')
  await keyboard.press('Enter')
  await gone(thread(page))

  const happened = page.getByRole('button', { name: 'What happened' })
  await walksTo(page, happened, 'Shift+Tab')
  await keyboard.press('Enter')
  const drawer = page.getByRole('complementary', { name: 'What happened' })
  await seen(drawer.getByRole('article', { name: 'alice pressed “Refresh”' }))
  await walksTo(page, drawer.locator('summary').first(), 'Tab')
  await keyboard.press('Enter')
  await walksTo(page, happened, 'Shift+Tab')
  await keyboard.press('Enter')
  await gone(drawer)

  const alice = page.getByRole('radio', { name: 'Alice Archer' })
  await walksTo(page, alice, 'Shift+Tab')
  await keyboard.press('ArrowDown')
  await expect.poll(() => page.getByRole('radio', { name: 'Bob Baker' }).isChecked()).toBe(true)
  await keyboard.press('ArrowUp')
  await expect.poll(() => alice.isChecked()).toBe(true)
})

it('keeps the focus inside an open modal', async () => {
  const { page } = await openPage()
  await messageBox(page).focus()
  await page.keyboard.type('/alert')
  await page.keyboard.press('Enter')
  const form = dialog(page, 'Look up an alert')
  await focused(form.getByRole('textbox', { name: 'Alert key' }))

  for (let steps = 0; steps < 12; steps += 1) {
    await page.keyboard.press('Tab')
    expect(await page.locator('body :focus').count()).toBe(await form.locator(':focus').count())
  }
})
