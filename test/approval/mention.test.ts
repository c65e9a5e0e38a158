// APPROVAL_MENTION: who is mentioned with a request, once.
import { expect, it } from 'vitest'
import { type Colleagues, line, openAsked } from './colleagues.ts'

const group = '<!subteam^S0ONCALL1>'

/** Everything that pinged somebody, with where it stands. */
const pinging = ({ slack }: Colleagues) =>
  slack.workspace.messages
    .filter(({ pings }) => pings.length > 0)
    .map(({ pings, threadTs }) => ({ pings, threadTs }))

it('mentions them with the request, and nobody else by anything that comes of it', async () => {
  const { world, card, bob, carol } = await openAsked(line, {
    env: { APPROVAL_MENTION: 'S0ONCALL1, U0MANAGER' },
  })
  expect(card.pings).toEqual([group, '<@U0MANAGER>'])
  expect(card.plain).toContain('To decide: @S0ONCALL1')

  await carol.presses('Approve', card)

  await bob.sees('Granted by carol', bob.dm)
  expect(card.plain).not.toContain('To decide')
  expect(pinging(world)).toEqual([])
})
