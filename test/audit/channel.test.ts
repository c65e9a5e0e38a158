// The audit channel: a line a grant, escaped, with nobody pinged; and nothing that goes wrong there is felt elsewhere.
import { describe, expect, it } from 'vitest'
import { createAuditChannel } from '../../src/audit/audit.ts'
import type { Entry } from '../../src/audit/trail.ts'
import { createLog } from '../../src/log/log.ts'
import type { Message } from '../../src/slack/outbound/message.ts'
import { openWorld, type World, type WorldOptions } from '../world.ts'
import { grantOf } from './memory.ts'
import { actsOf } from './read.ts'

const soon = { timeout: 30_000, interval: 20 }

/** #audit-log, with the bot in it or not. */
async function openAuditedWorld(options: WorldOptions = {}, botIsMember = true) {
  const world = await openWorld({ isAliceConnected: 'in the form', ...options })
  const { slack, alice, bob } = world
  const channel = slack.addChannel({ name: 'audit-log', members: [alice, bob], isPrivate: true, botIsMember })
  await world.restart({ AUDIT_CHANNEL: channel.id })
  return { ...world, channel }
}

const warnings = ({ log }: Pick<World, 'log'>) =>
  log.filter((line) => line.includes('could not be posted to the audit channel'))

describe('the audit channel', () => {
  it('reads who gave whom what, by name and id and without a ping', async () => {
    const world = await openAuditedWorld()
    const { alice, bob, general, channel } = world
    await alice.types('/grant 12 dave@example.com READ API member', general)

    const line = await bob.sees('added', channel)

    const words = `Alice Archer (${alice.id}) added dave@example.com to container 12: READ, API · member.`
    expect(line.text).toBe(words)
    expect(line.plain).toContain(words)
    expect(JSON.stringify(line.blocks)).not.toMatch(/<@|"type":"user"|mrkdwn/)
  })

  it('that the bot is not in keeps nobody from their grant, and is logged once', async () => {
    const world = await openAuditedWorld({}, false)
    const { alice, general, service } = world
    for (const email of ['dave@example.com', 'erin@example.com']) {
      service.addUser({ email })
      await alice.types(`/grant 12 ${email} READ`, general)
      await alice.sees(new RegExp(`Granted.*${email}`, 's'), general)
      await world.slack.idle()
    }

    await expect.poll(() => warnings(world).length, soon).toBe(1)
    expect(await actsOf(world)).toEqual(['connect done', 'grant done', 'grant done'])
  })

  it('gets what is on its way when the bot stops', async () => {
    const world = await openAuditedWorld()
    const { alice, bob, general, channel } = world
    for (const flag of ['READ', 'API', 'BILLING']) {
      await alice.types(`/grant 12 dave@example.com ${flag}`, general)
    }
    await expect.poll(() => alice.messages(general)).toHaveLength(3)

    await world.restart()

    expect(bob.messages(channel)).toHaveLength(3)
  })
})

/** Nothing is waited for. */
function openChannel() {
  const posted: string[] = []
  const wait = async () => undefined
  const parts = {
    post: async (_channelId: string, { text }: Message) => void posted.push(text),
    pace: { inTurn: <T>(_channelId: string, work: () => Promise<T>) => work() },
    nameOf: async (userId: string) => (userId === 'U1' ? 'Alice Archer' : userId),
    log: createLog({ level: 'silent' }),
    now: Date.now,
    wait,
  }
  const channel = createAuditChannel(parts, 'C1')
  return { channel, posted }
}

describe('several people', () => {
  it('are told of in one line for each step, whatever became of the others', async () => {
    const { channel, posted } = openChannel()
    const ask = { act: 'ask', reference: 'r1', askerId: 'U1' } as const
    for (const index of [1, 2, 3]) channel.tell(grantOf(index, ask))
    for (const index of [1, 2, 3]) channel.tell(grantOf(index, { ...ask, reference: 'r2' }))
    for (const index of [1, 2]) channel.tell(grantOf(index))
    channel.tell(grantOf(3, { outcome: 'not-done:busy' }))
    await channel.idle()

    const three = '3 people (p1@example.com, p2@example.com, p3@example.com)'
    expect(posted).toEqual([
      `Alice Archer (U1) asked for approval: ${three} on container 12, READ, API.`,
      `Alice Archer (U1) asked for approval: ${three} on container 12, READ, API.`,
      'Alice Archer (U1) added 2 people (p1@example.com, p2@example.com) to container 12: READ, API.',
      'Not granted (monitoring is busy): Alice Archer (U1) wanted to add p3@example.com to container 12: READ, API.',
    ])
  })

  it.each<[string, Partial<Entry>]>([
    ['by somebody else', { userId: 'U2' }],
    ['on another container', { containerId: 13 }],
    ['with other flags', { permissions: ['READ'] }],
    ['as a member', { member: true }],
    ['with another provider', { authProvider: 'Google' }],
    ['approved by somebody', { approverId: 'U2' }],
    ['elsewhere', { workspaceId: 'T2' }],
  ])('are told of apart: %s', async (_, changes) => {
    const { channel, posted } = openChannel()
    channel.tell(grantOf(1))
    channel.tell(grantOf(2, changes))
    await channel.idle()
    expect(posted).toHaveLength(2)
  })
})
