// Access that ends by itself, as on a phone: Alice grants it from an alert's card, and four hours pass.
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { dialog, gone, message, presses, replies, says, seen } from './on-the-page.ts'
import { openPage } from './page-world.ts'

/** Alice gives Dave access from the card of an alert, for as long as its form proposes. */
async function grantsFromCard() {
  const { page, playground } = await openPage({ viewport: { width: 390, height: 844 } })
  const { service, slack } = playground
  const [alice, dave] = [slack.person('alice'), slack.person('dave')]
  const daveHas = () =>
    service.membersOf(12).find(({ email }) => email === 'dave@example.com')?.permissions
  await says(page, '/alert disk-full')
  const card = message(page, 'asked by alice')
  await card.getByRole('button', { name: 'More options' }).click()
  await page.getByRole('menuitem', { name: 'Grant access' }).click()
  const form = dialog(page, 'Grant access')
  const ends = form.getByRole('combobox', { name: 'Ends' }).getByRole('option', { selected: true })
  expect(await ends.textContent()).toBe('After 4 hours')
  await form.getByRole('textbox', { name: 'Email' }).fill('dave@example.com')
  await form.getByRole('combobox', { name: 'Role' }).selectOption('Viewer')
  await presses(form, 'Grant access')
  await gone(form)
  await card.getByRole('button', { name: '2 replies' }).click()
  const receipt = replies(page).filter({ hasText: 'dave@example.com is now Viewer' })
  await seen(receipt.getByText('then taken back with alice’s account'))
  return { page, alice, dave, daveHas, card, receipt }
}

async function hoursPass(page: Page, count: number): Promise<void> {
  await presses(page, 'Close thread')
  await page.getByRole('button', { name: /^Trouble/ }).click()
  for (let hour = 1; hour <= count; hour += 1)
    await presses(dialog(page, 'Trouble'), 'An hour later')
}

const ended =
  'Ended: dave@example.com no longer has Viewer on Customer 1 (12). Monitoring shows it.'

it('is given for four hours, and is gone when they have passed; both hear of it before', async () => {
  const { page, alice, dave, daveHas, card, receipt } = await grantsFromCard()
  await receipt.getByRole('button', { name: 'More options' }).click()
  await seen(page.getByRole('menuitem', { name: 'Extend by 1 hour' }))
  await page.keyboard.press('Escape')
  expect(daveHas()).toContain('READ')

  await hoursPass(page, 4)
  await dave.sees('Your Viewer on Customer 1 (12) ends', dave.dm)
  await alice.sees('dave@example.com has Viewer on Customer 1 (12) until', alice.dm)
  await dave.sees('Your Viewer on Customer 1 (12) has ended.', dave.dm)
  await seen(page.getByText(/^It’s an hour later: \d+:\d\d [AP]M\.$/))
  await page.keyboard.press('Escape')
  await seen(card.getByText('opened 6 hours ago'))

  await card.getByRole('button', { name: '3 replies' }).click()
  await seen(replies(page).filter({ hasText: ended }))
  expect(daveHas()).toBeUndefined()
})

it('is given up before that by whoever is done, and the alert’s thread says that monitoring shows it', async () => {
  const { page, dave, daveHas, card } = await grantsFromCard()

  await hoursPass(page, 3)
  await page.keyboard.press('Escape')
  await dave.types('/grant due', dave.dm)
  await dave.presses('I’m done', await dave.sees('You · Viewer on', dave.dm))
  await dave.sees('Your Viewer on Customer 1 (12) has ended.', dave.dm)

  await card.getByRole('button', { name: '3 replies' }).click()
  await seen(replies(page).filter({ hasText: ended }))
  expect(daveHas()).toBeUndefined()
})
