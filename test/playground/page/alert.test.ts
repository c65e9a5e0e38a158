// Alerts: the card and its thread, what changes on it, who sees it, its long history, times in the reader's zone.
import { expect, it } from 'vitest'
import { dialog, gone, message, messages, presses, replies, says, seen, thread } from './on-the-page.ts'
import { openPage, sharedPage } from './page-world.ts'

const shared = sharedPage()

it('posts a card, with its history in the thread', async () => {
  const { page, playground } = shared
  const url = playground.service.linkOf('disk-full')

  await says(page, `/alert ${url}`)
  const card = message(page, 'Disk /var is 96 % full')
  const headline = card.getByRole('link', { name: 'Disk /var is 96 % full' })
  expect(await headline.getAttribute('href')).toBe(url)
  await seen(card.getByText(/CRITICAL, was WARNING · opened .* ago · last seen .* ago · Alice Archer/))
  await seen(card.getByText('“Disk /var is 91 % full” when it opened'))
  await seen(card.getByText('asked by alice'))
  await presses(card, 'More options')
  const link = page.getByRole('menuitem', { name: 'Open in monitoring' })
  expect(await link.getAttribute('href')).toBe(url)
  await page.keyboard.press('Escape')

  await presses(card, '1 reply')
  await seen(replies(page).getByText('Alice Archer took it'))
  await seen(replies(page).getByText('Old logs, rotating them now.'))
  await seen(thread(page).getByText('reference: OPS-1290'))
  await presses(thread(page), 'Close thread')
  await gone(thread(page))
})

it('shows a private look-up to its asker alone, until they share it', async () => {
  const { page, as } = shared
  const bob = await as('bob')

  await says(page, '/alert one-hit private')
  const card = message(page, 'Certificate expires in 6 days')
  await seen(card.getByText('Only visible to you'))
  await says(page, 'Bob, do you see that?')
  await seen(message(bob, 'Bob, do you see that?'))
  expect(await messages(bob, 'Certificate expires').count()).toBe(0)

  await presses(card, 'Share in channel')
  await seen(message(bob, 'Certificate expires').getByText('asked by alice'))
})

it('turns the pages of a long history in a modal', async () => {
  const { page } = shared
  await says(page, '/alert long-story')
  await presses(message(page, 'Queue is growing'), '1 reply')
  await presses(replies(page).last(), 'Show earlier')

  const history = dialog(page, 'Alert history')
  await seen(history.getByText('Actions 496 to 505 of 520'))
  await seen(history.getByText('Note 500: still growing.'))
  await presses(history, 'Show earlier')
  await seen(history.getByText('Actions 486 to 495 of 520'))
  await presses(history, 'Show later')
  await seen(history.getByText('Actions 496 to 505 of 520'))
  await page.keyboard.press('Escape')
  await gone(history)
})

it('tells times in the zone of whoever reads', async () => {
  const { page, playground, as } = await openPage({ timezoneId: 'Asia/Kolkata' })
  const bob = await as('bob', { timezoneId: 'America/New_York' })
  const { timestamp = 0 } = playground.service.alerts().find(({ ks }) => ks === 'disk-full') ?? {}
  // Somebody took it five minutes after it was opened.
  const taken = (timeZone: string) =>
    new RegExp(`${clock(timestamp + 300, timeZone).replace(' ', '\\s?')}.*Alice Archer took it`, 'is')

  await says(page, '/alert disk-full')
  for (const [reader, timeZone] of [
    [page, 'Asia/Kolkata'],
    [bob, 'America/New_York'],
  ] as const) {
    await presses(message(reader, 'asked by alice'), '1 reply')
    await seen(replies(reader).filter({ hasText: taken(timeZone) }))
  }
})

/** Such as `3:07 PM`. */
function clock(unixSeconds: number, timeZone: string): string {
  const form = new Intl.DateTimeFormat('en-US', { timeZone, hour: 'numeric', minute: '2-digit' })
  return form.format(unixSeconds * 1_000).replace('\u202F', ' ')
}

it('shows what other people wrote into an alert as they wrote it', async () => {
  const { page } = shared
  const hostile =
    '<!channel> <@U012345> <https://evil.example|Click> &amp; *bold* _it_ ~no~ `code` ```block```'

  await says(page, '/alert "a/b?c=<d>&e%2F#f"')
  const card = message(page, 'asked by alice')
  await seen(card.getByText(`“${hostile}” when it opened`))
  await seen(card.getByText('*two*'))
  await presses(card, '1 reply')
  await seen(replies(page).getByText('<!everyone> `"}]}'))
  expect(await page.getByRole('link', { name: 'Click' }).count()).toBe(0)
})
