// Lines in the audit channel about an approval: who asked, then what became of it, once and as it is.
import { expect, it } from 'vitest'
import { asked, type Colleagues, openColleagues } from '../approval/colleagues.ts'

const access =
  'dave@example.com to container 12: READ, API, REPORTING_VIEW, VIEW_LOG, approved by CAROL.'

/** As people are named there: with their ids, which only the world knows. */
function named(words: string, { bob, carol }: Colleagues): string {
  return words
    .replaceAll('BOB', `@bob (Bob Baker) (${bob.id})`)
    .replaceAll('CAROL', `@carol (Carol Cook) (${carol.id})`)
}

it.each([
  [undefined, `BOB added ${access}`],
  [500, `Not certain (monitoring returned an error): BOB may have added ${access}`],
])('where the service answers %s', async (status, words) => {
  const world = await openColleagues()
  const { alice, bob, carol, slack, service } = world
  const channel = slack.addChannel({ name: 'audit-log', members: [alice, bob], botIsMember: true })
  await world.restart({ AUDIT_CHANNEL: channel.id })
  const card = await asked(world)
  await bob.sees('asked for approval', channel)
  if (status !== undefined) service.trouble.answer(status, { only: 'POST', times: 1 })

  await carol.presses('Approve', card)
  await bob.sees('approved by @carol (Carol Cook)', channel)
  await world.restart()

  const lines = bob.messages(channel).map(({ text }) => text)
  const [, ask, outcome] = lines
  expect(lines).toHaveLength(3)
  expect(ask).toContain(named('BOB asked for approval', world))
  expect(outcome).toBe(named(words, world))
})
