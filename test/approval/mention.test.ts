// APPROVAL_MENTION: who is mentioned with a request, once.
import { expect, it } from 'vitest'
import { asked, type Colleagues, openColleagues } from './colleagues.ts'

const group = '<!subteam^S0ONCALL1>'

/** Everything that pinged somebody, with where it stands. */
const pinging = ({ slack }: Colleagues) =>
  slack.workspace.messages
    .filter(({ pings }) => pings.length > 0)
    .map(({ pings, threadTs }) => ({ pings, threadTs }))

it('mentions them with the request, and nobody else by anything that comes of it', async () => {
  const world = await openColleagues({ env: { APPROVAL_MENTION: 'S0ONCALL1, U0MANAGER' } })
  const { bob, carol } = world
  const card = await asked(world)
  expect(card.pings).toEqual([group, '<@U0MANAGER>'])
  expect(card.plain).toContain('To decide: @S0ONCALL1')

  await carol.presses('Approve', card)

  await bob.sees('Granted by carol', bob.dm)
  expect(card.plain).not.toContain('To decide')
  expect(pinging(world)).toEqual([])
})
