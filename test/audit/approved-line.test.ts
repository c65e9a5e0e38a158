// Lines in the audit channel about an approval: who asked, then what became of it, once and as it is.
import { expect, it } from 'vitest'
import { asked, openColleagues } from '../approval/colleagues.ts'

const access =
  'dave@example.com to container 12: READ, API, REPORTING_VIEW, VIEW_LOG, approved by Carol Cook.'

it.each([
  [undefined, `Bob Baker added ${access}`],
  [500, `Not certain (monitoring returned an error): Bob Baker may have added ${access}`],
  [
    403,
    `Not granted (Carol Cook’s token lacks API or CONTAINER_ACCESS, 403): Bob Baker wanted to add ${access}`,
  ],
  [401, `Not granted (Carol Cook’s token is no longer accepted, 401): Bob Baker wanted to add ${access}`],
  [400, `Not granted (monitoring refused it, 400): Bob Baker wanted to add ${access}`],
])('where the service answers %s', async (status, words) => {
  const world = await openColleagues()
  const { alice, bob, carol, slack, service } = world
  const channel = slack.addChannel({ name: 'audit-log', members: [alice, bob], botIsMember: true })
  await world.restart({ AUDIT_CHANNEL: channel.id })
  const card = await asked(world)
  await bob.sees('asked for approval', channel)
  if (status !== undefined) service.trouble.answer(status, { only: 'POST', times: 1 })

  await carol.presses('Approve', card)
  await bob.sees('approved by Carol Cook', channel)
  await world.restart()

  const lines = bob.messages(channel).map(({ text }) => text)
  expect(lines.slice(1)).toEqual([expect.stringContaining('Bob Baker asked for approval'), words])
})
