// The truth about an approval is told last, and once, however long Slack takes for a card or a message.
import { expect, it } from 'vitest'
import { lists, losesAnswer, patient } from '../grant/look-again-world.ts'
import { holdAtSlack, holdIntervals, pass } from '../held-slack.ts'
import { asked, type Colleagues, line, openColleagues, posts } from './colleagues.ts'

const seconds = 1_000
const asMember = `${line} member`

/** Bob has asked, and Slack takes its time for as long as the test says, where the test says. */
async function openSlow() {
  holdIntervals()
  const slackWait = holdAtSlack()
  const world = await openColleagues({ wait: slackWait.wait })
  world.expectRefusals()
  const card = await asked(world, asMember)
  losesAnswer(world, false)
  return { world, card, slackWait }
}

function addsDave({ service }: Colleagues): void {
  const permissions = ['READ', 'API', 'REPORTING_VIEW', 'VIEW_LOG']
  service.addMember(12, { email: 'dave@example.com', member: true, permissions })
}

it('an approval that monitoring shows while Slack holds up the card is granted in the end, for everybody', async () => {
  const { world, card, slackWait } = await openSlow()
  const { bob, carol, slack } = world
  slack.trouble.rateLimit('chat.update', { retryAfterSeconds: 60 })
  await carol.presses('Approve', card)
  await expect.poll(() => lists(world)).toHaveLength(3)
  expect(slackWait.held).toHaveLength(1)
  addsDave(world)
  await pass(world, 40 * seconds)
  await expect.poll(() => lists(world)).toHaveLength(4)
  expect(bob.messages(bob.dm)).toEqual([])

  slackWait.letGo()
  await bob.sees(/by carol/, bob.dm, patient)
  await pass(world, 20 * seconds)

  await bob.sees('✅ Granted by carol', bob.dm, patient)
  await slack.idle()
  expect(card.plain).toMatch(/^✅ Granted by carol/)
  expect(posts(world)).toHaveLength(2)
})
