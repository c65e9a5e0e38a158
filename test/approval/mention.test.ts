// APPROVAL_MENTION: who is mentioned with a request, once, and once more in its thread before it expires.
import { expect, it } from 'vitest'
import { openStorage } from '../../src/storage/storage.ts'
import type { WorldOptions } from '../world.ts'
import { asked, type Colleagues, givesReason, line, openColleagues, posts } from './colleagues.ts'

const minutes = 60_000
const hours = 60 * minutes
const group = '<!subteam^S0ONCALL1>'

/** Everything that pinged somebody, with where it stands. */
const pinging = ({ slack }: Colleagues) =>
  slack.workspace.messages
    .filter(({ pings }) => pings.length > 0)
    .map(({ pings, threadTs }) => ({ pings, threadTs }))

async function openMentioning(env: Readonly<Record<string, string>> = {}, options: WorldOptions = {}) {
  return openColleagues({ ...options, env: { APPROVAL_MENTION: 'S0ONCALL1', ...env } })
}

/** The bot looks after what is due, as it does every few seconds. */
async function passes({ clock, restart, slack }: Colleagues, ms: number) {
  clock.advance(ms)
  await restart()
  await slack.idle()
}

it('mentions them with the request, and nobody else by anything that comes of it', async () => {
  const world = await openMentioning({ APPROVAL_MENTION: 'S0ONCALL1, U0MANAGER' })
  const { bob, carol } = world
  const card = await asked(world)
  expect(card.pings).toEqual([group, '<@U0MANAGER>'])
  expect(card.plain).toContain('To decide: @S0ONCALL1')

  await carol.presses('Approve', card)

  await bob.sees('Granted by carol', bob.dm)
  expect(card.plain).not.toContain('To decide')
  expect(pinging(world)).toEqual([])
})

it('mentions them in a channel that the bot is not in, too', async () => {
  const world = await openMentioning()
  const { bob, alice, ops } = world
  await bob.types(line, ops)
  await bob.presses('Ask for approval', await bob.sees('Not granted', ops))
  await givesReason(bob)
  expect((await alice.sees('🔑', ops)).pings).toEqual([group])
  await bob.sees('Asked for approval in', ops)
  await passes(world, 23 * hours + minutes)
  expect(pinging(world)).toHaveLength(1)
})

it('reminds them in its thread an hour before it expires, once, also after restarts', async () => {
  const world = await openMentioning()
  const card = await asked(world)
  await passes(world, 23 * hours - minutes)
  expect(card.thread).toEqual([])

  await passes(world, minutes)

  expect(card.thread.map(({ plain }) => plain)).toEqual([
    expect.stringMatching(
      /^@S0ONCALL1 Nobody has decided yet\. bob’s request expires .+: Viewer on container 12/,
    ),
  ])
  expect(card.thread[0]?.pings).toEqual([group])
  await passes(world, minutes)
  await passes(world, 30 * minutes)
  expect(card.thread).toHaveLength(1)
  expect(card.buttons).toContain('Approve')
  expect(pinging(world)).toHaveLength(2)
})

it('reminds nobody of a request that somebody has decided on', async () => {
  const world = await openMentioning()
  const { bob, general } = world
  const card = await asked(world)
  await bob.presses('Withdraw', card)
  await bob.sees('Withdrawn. Nothing was granted.', general)
  await passes(world, 23 * hours)
  expect(card.thread).toEqual([])
})

it('reminds nobody where requests expire within an hour', async () => {
  const world = await openMentioning({ APPROVAL_TTL_HOURS: '1' })
  const card = await asked(world)
  await passes(world, 59 * minutes)
  expect(card.thread).toEqual([])
})

it('reminds nobody where nobody is mentioned', async () => {
  const world = await openColleagues()
  const card = await asked(world)
  await passes(world, 23 * hours)
  expect(card.thread).toEqual([])
  expect(posts(world)).toHaveLength(1)
})

it('reminds nobody in a channel that another organisation reads by now', async () => {
  const world = await openMentioning()
  const { slack, general } = world
  const card = await asked(world)
  await slack.share(general)
  await passes(world, 23 * hours)
  expect(card.thread).toEqual([])
})

it('reminds nobody twice, though nobody knows whether Slack has taken it', async () => {
  const world = await openMentioning()
  world.expectRefusals()
  const { slack } = world
  const card = await asked(world)
  slack.trouble.fail('chat.postMessage', { error: 'fatal_error' }, { times: 1 })
  await passes(world, 23 * hours)
  await passes(world, 2 * minutes)
  expect(card.thread).toEqual([])
})

it('reminds of the others where one reminder can be neither posted nor put off', async () => {
  const world = await openMentioning(
    {},
    {
      open: async (options) => {
        const storage = await openStorage(options)
        const remindLater = () => Promise.reject(new Error('the database is away'))
        return { ...storage, approvals: { ...storage.approvals, remindLater } }
      },
    },
  )
  world.expectRefusals()
  const { bob, carol, general, slack, service } = world
  service.addUser({ email: 'erin@example.com' })
  await asked(world)
  await bob.types('/grant 12 erin@example.com viewer', general)
  await bob.presses('Ask for approval', await bob.sees('erin@example.com', general))
  await givesReason(bob)
  await carol.sees('for erin@example.com', general)
  await slack.idle()
  slack.trouble.rateLimit('chat.postMessage', { retryAfterSeconds: 61 })

  await passes(world, 23 * hours)

  expect(pinging(world).filter(({ threadTs }) => threadTs !== undefined)).toHaveLength(1)
})

it('reminds of a request that was being granted meanwhile, once it is open again', async () => {
  const world = await openMentioning()
  const { carol, general, service } = world
  const card = await asked(world)
  service.trouble.answer(429, { only: 'POST', times: 1 })
  await carol.presses('Approve', card)
  await carol.sees('The request stays open', general)
  await passes(world, 23 * hours)
  expect(card.thread).toHaveLength(1)
})
