// A channel follows a container: new alerts come by themselves, a storm folds, somebody takes over, a webhook rings.
import type { Page } from 'playwright-core'
import { request } from 'undici'
import { expect, it } from 'vitest'
import {
  goesTo,
  message,
  messages,
  presses,
  says,
  seen,
} from '../../playground/page/on-the-page.ts'
import { openPage } from '../../playground/page/page-world.ts'

async function follows(page: Page): Promise<void> {
  await says(page, '/alert follow 12')
  await presses(message(page, 'Follow Customer 1 (12) in this channel?'), 'Follow')
  await seen(message(page, 'Following Customer 1 (12)'))
  await seen(message(page, 'open in Customer 1 (12) already'))
}

it('brings a new alert, folds a storm, and goes on with somebody else’s account', async () => {
  const { page, as } = await openPage()
  const bob = await as('bob')
  await follows(page)

  await presses(page, 'New alert')
  const card = message(bob, 'Usage of C: is 97 %')
  await seen(card.getByText('CRITICAL · opened'))
  await presses(page, 'Storm')
  await seen(message(bob, '30 new alerts in Customer 1 (12)').getByText('22 more'))

  await page.getByRole('button', { name: /^Trouble/ }).click()
  await page.getByRole('switch', { name: 'Alice Archer’s token is revoked' }).click()
  const lost = message(bob, 'I can’t read Customer 1 (12) any more')
  await presses(lost, 'Take over with my account')
  await seen(message(bob, 'I follow Customer 1 (12) with bob’s account now.'))
  await page.keyboard.press('Escape')
  await presses(page, 'New alert')
  await seen(message(bob, '31 new alerts in Customer 1 (12)'))
  await presses(message(bob, 'all severities, with bob’s account'), 'Stop following')
  await seen(messages(bob, 'bob stopped following Customer 1 (12) here.'))
})

it('has whoever’s account reads hear directly what a channel that takes no messages can’t be told, and then the channel', async () => {
  const { page } = await openPage()
  await follows(page)
  const restricts = async () => {
    await page.getByRole('button', { name: /^Trouble/ }).click()
    await page.getByRole('switch', { name: 'Restrict posting', exact: true }).click()
    await page.keyboard.press('Escape')
  }
  await restricts()
  await presses(page, 'New alert')
  await seen(message(page, 'I can’t post new alerts here'))
  await goesTo(page, 'Bellhop')
  await seen(message(page, 'I can’t post in #on-call any more'))
  await goesTo(page, 'on-call')
  await restricts()
  await seen(message(page, 'Usage of C: is 97 %'))
})

it('rings the doorbell', async () => {
  const { page, playground } = await openPage({ isPublic: true })
  await follows(page)
  await presses(message(page, 'Following Customer 1 (12)'), 'Get alerts at once')
  const told = message(page, 'Get new alerts of Customer 1 (12) at once')
  await seen(told)
  const [address = ''] =
    /http:\/\/127\.0\.0\.1:\d+\/ring\/[\w.-]+/.exec(await told.innerText()) ?? []
  await presses(page, 'New alert')
  expect((await request(address, { method: 'POST', body: '{}' })).statusCode).toBe(202)
  await seen(message(page, 'Usage of C: is 97 %'))
  expect(playground.service.alerts().some(({ ks }) => ks === 'disk-1')).toBe(true)
})
