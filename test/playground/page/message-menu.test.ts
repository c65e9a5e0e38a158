// Tools of a message: replies, its text, the app's shortcuts; and buttons that ask first.
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { readManifest } from '../../../playground/server/manifest.ts'
import { message, presses, says, seen, thread } from './on-the-page.ts'
import { openPage } from './page-world.ts'

it('offers to reply, to copy, and the shortcuts of the app', async () => {
  const source = readFileSync(new URL('../../../manifest.yml', import.meta.url), 'utf8')
  const shortcuts = `  shortcuts:
    - { name: File a ticket, type: message, callback_id: ticket, description: For later }
    - { name: Start an incident, type: global, callback_id: incident, description: For now }`
  const manifest = readManifest(source.replace('  shortcuts:', shortcuts))
  const { page, playground } = await openPage({ manifest })
  await says(page, 'The printer is on fire')
  const printer = message(page, 'The printer is on fire')

  await printer.hover()
  await presses(printer, 'More actions')
  const menu = page.getByRole('menu')
  await expect
    .poll(() => menu.getByRole('menuitem').allInnerTexts())
    .toEqual([
      expect.stringContaining('Reply in thread'),
      expect.stringContaining('Copy text'),
      expect.stringContaining('File a ticket'),
      expect.stringContaining('Look up this alert'),
      expect.stringContaining('Add as comment'),
    ])
  await menu.getByRole('menuitem', { name: 'File a ticket' }).click()
  await expect
    .poll(() => playground.slack.deliveries.at(-1)?.payload)
    .toMatchObject({ type: 'message_action', callback_id: 'ticket' })

  await printer.hover()
  await presses(printer, 'More actions')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  await seen(thread(page).getByText('The printer is on fire'))
})
