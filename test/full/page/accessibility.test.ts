// Nothing serious for axe to find, whatever is open, in light and dark, on a wide screen and a phone.
import { expect, it } from 'vitest'
import { faults, faultsInTheDark } from '../../playground/page/axe.ts'
import {
  dialog,
  gone,
  message,
  presses,
  replies,
  says,
  seen,
} from '../../playground/page/on-the-page.ts'
import { openPage, type PageOptions } from '../../playground/page/page-world.ts'

const looks: Readonly<Record<string, PageOptions>> = {
  'in light and dark': { colorScheme: 'light' },
  'on a phone': { colorScheme: 'light', viewport: { width: 360, height: 740 }, hasTouch: true },
}

it.each(Object.entries(looks))('has no serious faults %s', async (name, look) => {
  const { page } = await openPage(look)
  async function looksAt(what: string) {
    expect.soft(await faults(page), what).toEqual([])
    if (name.endsWith('dark'))
      expect.soft(await faultsInTheDark(page), `${what}, in the dark`).toEqual([])
  }

  await says(page, '/alert disk-full')
  await says(page, '/alert one-hit private')
  await seen(message(page, 'Only visible to you'))
  await looksAt('the channel')

  if (name.endsWith('phone')) await presses(page, 'Channels')
  await page.getByText('Edge cases').click()
  await looksAt('the stand-in service')
  await presses(page, 'New event for disk-full')
  await seen(page.getByRole('menuitem', { name: 'It gets worse' }))
  await looksAt('what can happen to an alert')
  await page.keyboard.press('Escape')
  await presses(page, 'Reset')
  await seen(page.getByRole('alertdialog'))
  await looksAt('the question before a reset')
  await page.keyboard.press('Escape')
  await page.getByText('Edge cases').click()
  if (name.endsWith('phone')) await page.keyboard.press('Escape')

  const post = message(page, '/var is filling up')
  await post.hover()
  await presses(post, 'More actions')
  await seen(post.getByRole('menuitem', { name: 'Look up this alert' }))
  await looksAt('a menu')
  await page.keyboard.press('Escape')

  await presses(message(page, 'Disk /var is 96 % full'), '1 reply')
  await seen(replies(page))
  await looksAt('a thread')
  await presses(page, 'Close thread')

  await says(page, '/grant')
  await seen(dialog(page, 'Grant access'))
  await presses(dialog(page, 'Grant access'), 'Grant access')
  await seen(dialog(page, 'Grant access').getByRole('alert'))
  await looksAt('a form')
  await page.keyboard.press('Escape')
  await gone(page.getByRole('listbox', { name: 'Suggestions' }))
  await page.keyboard.press('Escape')
  await gone(dialog(page, 'Grant access'))

  await presses(page, 'Trouble')
  await seen(page.getByRole('switch'))
  await looksAt('the troubles')
  await page.keyboard.press('Escape')

  await presses(page, 'What happened')
  const drawer = page.getByRole('complementary', { name: 'What happened' })
  await drawer.locator('summary').first().click()
  await looksAt('what happened')
})
