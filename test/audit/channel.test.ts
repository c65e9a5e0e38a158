// The audit channel: a line a grant, escaped, with nobody pinged; and nothing that goes wrong there is felt elsewhere.
import { describe, expect, it } from 'vitest'
import { openWorld, type World, type WorldOptions } from '../world.ts'
import { actsOf } from './read.ts'

const soon = { timeout: 30_000, interval: 20 }

/** #audit-log, with the bot in it or not. */
async function openAuditedWorld(options: WorldOptions = {}, botIsMember = true) {
  const world = await openWorld({ isAliceConnected: 'in the form', ...options })
  const { slack, alice, bob } = world
  const channel = slack.addChannel({
    name: 'audit-log',
    members: [alice, bob],
    isPrivate: true,
    botIsMember,
  })
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

    const words = `@alice (Alice Archer) (${alice.id}) added dave@example.com to container 12: READ, API · member.`
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

  it('gets nothing while another organisation reads there', async () => {
    const world = await openAuditedWorld()
    const { alice, bob, channel, clock, general, slack } = world
    channel.isShared = true
    clock.advance(61_000)
    await alice.types('/grant 12 dave@example.com READ', general)
    await expect.poll(() => warnings(world).length, soon).toBe(1)
    await slack.idle()
    expect(bob.messages(channel)).toEqual([])
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
