// Alerts: the card and its thread, what changes on it, who sees it, its long history, times in the reader's zone.
import { expect, it } from 'vitest'
import { gone, message, presses, replies, says, seen, thread } from './on-the-page.ts'
import { openPage, sharedPage } from './page-world.ts'

const shared = sharedPage()

it('posts a card, with its history in the thread', async () => {
  const { page, playground } = shared
  const url = playground.service.linkOf('disk-full')

  await says(page, `/alert ${url}`)
  const card = message(page, 'Disk /var is 96 % full')
  const headline = card.getByRole('link', { name: 'Disk /var is 96 % full' })
  expect(await headline.getAttribute('href')).toBe(url)
  await seen(
    card.getByText(
      /CRITICAL, was WARNING · opened .* ago · last seen .* ago · assigned to Alice Archer/,
    ),
  )
  await seen(card.getByText('“Disk /var is 91 % full” when it opened'))
  await seen(card.getByText('asked by alice'))
  await presses(card, 'More options')
  await seen(page.getByRole('menuitem', { name: 'Maintenance…' }))
  await page.keyboard.press('Escape')

  await presses(card, '1 reply')
  await seen(replies(page).getByText('Alice Archer took it'))
  await seen(replies(page).getByText('Old logs, rotating them now.'))
  await seen(thread(page).getByText('reference: OPS-1290'))
  await presses(thread(page), 'Close thread')
  await gone(thread(page))
})

it('tells times in the zone of whoever reads', async () => {
  const { page, playground, as } = await openPage({ timezoneId: 'Asia/Kolkata' })
  const bob = await as('bob', { timezoneId: 'America/New_York' })
  const { timestamp = 0 } = playground.service.alerts().find(({ ks }) => ks === 'disk-full') ?? {}
  // Somebody took it five minutes after it was opened.
  const taken = (timeZone: string) =>
    new RegExp(
      `${clock(timestamp + 300, timeZone).replace(' ', '\\s?')}.*Alice Archer took it`,
      'is',
    )

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
