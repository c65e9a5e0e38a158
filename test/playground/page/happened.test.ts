// “What happened”: the requests behind everything, in order, to be opened, without secrets, and what Slack refused.
import { expect, it } from 'vitest'
import { botCalls, channelCalled } from './bot-calls.ts'
import { message, presses, says, seen } from './on-the-page.ts'
import { openPage } from './page-world.ts'

it('lists the requests in order and opens them', async () => {
  const { page } = await openPage()
  await presses(page, 'What happened')
  const drawer = page.getByRole('complementary', { name: 'What happened' })
  await says(page, '/alert disk-full')

  const happening = drawer.getByRole('article', {
    name: 'alice typed /alert disk-full in #on-call',
  })
  const steps = happening.locator('summary')
  const lines = async () =>
    (await steps.allInnerTexts()).map((line) => line.replaceAll(/\s+/g, ' '))
  const at = async (step: RegExp) => (await lines()).findIndex((line) => step.test(line))
  const posted = /bot → Slack chat\.postMessage ok \d+ ms/i
  await expect.poll(() => at(posted)).toBeGreaterThan(1)
  expect(await at(/Slack → bot \/alert ack \d+ ms/i)).toBe(0)
  expect(await at(/bot → service GET \/alert\/disk-full 200 \d+ ms/)).toBe(1)

  await steps.nth(await at(posted)).click()
  await seen(happening.getByText('"channel"').and(page.locator(':visible')))
  await presses(page, 'What happened')
  await expect.poll(() => drawer.count()).toBe(0)
})

it('shows what Slack refused, in its words and in its place', async () => {
  const { page, playground } = await openPage()
  const blocks = [
    { type: 'section', text: { type: 'mrkdwn', text: 'This one is fine' } },
    { type: 'section', text: { type: 'mrkdwn', text: '' } },
  ]
  const channel = channelCalled('on-call', playground).id
  await botCalls(playground, 'chat.postMessage', { channel, text: 'Refused', blocks })

  await presses(page, 'What happened, 1 refused by Slack')
  const drawer = page.getByRole('complementary', { name: 'What happened' })
  const refused = drawer.locator('summary', { hasText: 'invalid_blocks' })
  await refused.click()
  await seen(drawer.getByText('must be more than 0 characters [json-pointer:/blocks/1/text/text]'))
  await seen(drawer.getByText('This one is fine'))
  expect(await message(page, 'This one is fine').count()).toBe(0)

  await presses(drawer, 'Clear')
  await seen(drawer.getByText('Nothing yet.'))
  await page.keyboard.press('Escape')
  await expect.poll(() => drawer.count()).toBe(0)
  await seen(page.getByRole('button', { name: 'What happened', exact: true }))
})
