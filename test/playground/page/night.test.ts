// A night: a storm calls whoever is on call, nobody takes it, the leads are called, and later the channel reads what it was.
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { clockTime } from '../../../src/grant/input/until.ts'
import { dialog, message, messages, presses, says, seen } from './on-the-page.ts'
import { openPage } from './page-world.ts'

type Playground = Awaited<ReturnType<typeof openPage>>['playground']

/** The clock moves on, and the menu is out of the way again. */
async function later(page: Page, label: string): Promise<void> {
  await page.getByRole('button', { name: /^Trouble/ }).click()
  await presses(dialog(page, 'Trouble'), label)
  await seen(page.getByText(/It’s .* later/))
  await page.keyboard.press('Escape')
}

/** On a phone, the sidebar with its button isn’t there. */
function opensWithoutSidebar({ service }: Playground): void {
  for (let at = 0; at < 30; at += 1)
    service.addAlert({ ks: `night-${at}`, containerId: 12, severity: 2, message: 'Disk full' })
}

it.each([
  ['a desktop', { width: 1280, height: 860 }, (page: Page) => presses(page, 'Storm')],
  [
    'a phone',
    { width: 390, height: 844 },
    async (_: Page, playground: Playground) => opensWithoutSidebar(playground),
  ],
])(
  'is called again, then somebody else is, and it is told at eight, on %s',
  async (_, viewport, opensStorm) => {
    const { page, playground } = await openPage({ viewport })
    const alice = playground.slack.person('alice')
    const at = playground.clock.now() + 90 * 60_000
    const eight = clockTime(at, alice.member.tz).slice(-5)
    await says(page, `/alert follow 12 call @oncall then @leads daily ${eight}`)
    const question = message(page, 'Follow Customer 1 (12) in this channel?')
    await seen(question.getByText('It calls @oncall for all severities'))
    await presses(question, 'Follow')
    await seen(message(page, 'Following Customer 1 (12)').getByText('@leads after 30'))

    await opensStorm(page, playground)
    const storm = message(page, '30 new alerts in Customer 1 (12)')
    await seen(storm.getByText('@oncall'))

    await later(page, 'Ten minutes later')
    const again = messages(page, /Nobody has taken 30 of these for 1\d minutes\. @oncall/)
    await seen(again)
    await later(page, 'Ten minutes later')
    await later(page, 'Ten minutes later')
    await seen(messages(page, /Nobody has taken 30 of these for 3\d minutes\. @leads/))

    await storm.getByRole('button', { name: 'Show card' }).first().click()
    const card = message(page, 'asked by alice')
    await presses(card, 'Assign to me')
    await seen(card.getByText('assigned to Alice Archer'))
    await later(page, 'An hour later')
    const night = message(page, 'Customer 1 (12) since')
    await seen(night.getByText(/30 new/))
    await seen(night.getByText('1 call nobody answered'))
    await seen(night.getByText(/still open · \d+ unassigned/))
    await seen(night.getByRole('button', { name: 'Show card' }).first())
    expect(
      await page.evaluate<number>(
        'document.documentElement.scrollWidth - document.documentElement.clientWidth',
      ),
    ).toBe(0)
  },
)
