// A channel that two customers of one Bellhop share: Slack's events name one installation, not always the one that was
// mentioned. Everybody is answered by their own, and nothing is shown with anybody else's token.
import { describe, expect, it } from 'vitest'
import { openInstalls, type Tenant } from './world.ts'

const no = 'this Bellhop belongs to another organisation'

/** Gus of Globex is in #general of Acme, and so is Globex's bot; Ann and Gus are connected. */
async function openConnected() {
  const world = await openInstalls()
  const { acme, globex, front, service } = world
  await world.installEverywhere()
  for (const tenant of [acme, globex]) {
    await world.connect(tenant.admin, tenant, `${tenant.admin.name}-token-4c1d`)
  }
  service.addAlert({ ks: 'k1', message: 'Disk full', assetId: 34 })
  const theirs = front.connect(acme.general, acme.slack, globex.slack, [globex.admin])
  await front.idle()
  const from = { requests: service.requests.length, calls: callsOf(acme).length + callsOf(globex).length }
  const since = () => ({
    tokens: service.requests.slice(from.requests).map(({ token }) => token),
    calls: [...callsOf(acme), ...callsOf(globex)].slice(from.calls),
  })
  return { ...world, theirs, since }
}

const callsOf = ({ slack }: Tenant) => slack.calls
const botOf = ({ slack }: Tenant) => `<@${slack.bot.userId}>`

describe('in a channel of two customers, a mention', () => {
  it('is answered by the bot that was mentioned, though Slack names the other’s installation', async () => {
    const { acme, globex, theirs, front, since } = await openConnected()

    const { deliveries } = await acme.admin.writes('@bellhop alert k1', acme.general)
    await acme.admin.sees('No actions', await acme.admin.sees('Disk full', acme.general))
    await front.idle()

    const [named] = deliveries.map(({ payload }) => payload.team_id)
    expect(named).toBe(globex.slack.teamId)
    expect(since().tokens).toEqual(['ann'])

    await globex.admin.writes('@bellhop alert k1', theirs)
    await globex.admin.sees('No actions', await globex.admin.sees('Disk full', theirs))
    await front.idle()
    expect(since().tokens).toEqual(['ann', 'gus'])
  })

  it('of the other’s bot gets a clear no from it, and nobody’s token is used', async () => {
    const { acme, globex, theirs, front, since } = await openConnected()
    await acme.admin.writes(`${botOf(globex)} alert k1`, acme.general, { raw: true })
    await globex.admin.writes(`${botOf(acme)} alert k1`, theirs, { raw: true })
    await front.idle()

    expect(since().tokens).toEqual([])
    const told = [
      globex.slack.messagesIn(theirs).find(({ ephemeralFor }) => ephemeralFor === acme.admin.id),
      acme.slack.messagesIn(acme.general).find(({ ephemeralFor }) => ephemeralFor === globex.admin.id),
    ]
    for (const message of told) expect(message?.text).toContain(no)
  })

  it('of both bots is answered once, by the one that Slack names', async () => {
    const { acme, globex, theirs, front, since } = await openConnected()
    await globex.admin.writes(`${botOf(acme)} ${botOf(globex)} alert k1`, theirs, { raw: true })
    await globex.admin.sees('Disk full', theirs)
    await front.idle()
    expect(since().tokens).toEqual(['gus'])
  })

  it('of a bot whose workspace took it out is nobody’s', async () => {
    const { acme, globex, front, since, ...world } = await openConnected()
    await front.uninstall(acme.slack)
    await expect
      .poll(() => world.storage.installations.find(acme.workspaceId), { timeout: 30_000 })
      .toBeUndefined()
    await acme.admin.writes('@bellhop alert k1', acme.general)
    await front.idle()
    expect(since().tokens).toEqual([])
    expect(globex.slack.messagesIn(acme.general)).not.toContainEqual(
      expect.objectContaining({ text: expect.stringContaining('Disk full') }),
    )
  })
})

describe('in a channel of two customers, a link', () => {
  it('gets no preview where Slack names another installation than the poster’s', async () => {
    const { acme, front, service, since } = await openConnected()
    await acme.admin.writes(service.linkOf('k1'), acme.general)
    await front.idle()
    expect(since().tokens).toEqual([])
    expect(since().calls.map(({ method }) => method)).not.toContain('chat.unfurl')
  })
})

describe('somebody of one customer who leaves', () => {
  it('is forgotten by their own Bellhop, though Slack names the other’s installation', async () => {
    const { acme, globex, storage, front } = await openConnected()
    const gus = { workspaceId: globex.workspaceId, userId: globex.admin.id }
    expect(await storage.accounts.find(gus)).toBeDefined()

    const left = { ...acme.slack.userPayload(globex.admin.member), deleted: true }
    await acme.slack.event({ type: 'user_change', user: left })
    await front.idle()

    await expect.poll(() => storage.accounts.find(gus), { timeout: 30_000 }).toBeUndefined()
    const ann = { workspaceId: acme.workspaceId, userId: acme.admin.id }
    expect(await storage.accounts.find(ann)).toBeDefined()
  })
})

describe('outside of such a channel', () => {
  it('a mention of another customer’s bot leads nowhere: Slack’s word counts alone', async () => {
    const { acme, globex, front, since } = await openConnected()
    const own = globex.slack.addChannel({ name: 'own', members: [globex.admin], botIsMember: true })
    await globex.admin.writes(`@bellhop help ${botOf(acme)}`, own)
    await globex.slack.event({
      type: 'app_mention',
      user: acme.admin.id,
      team: acme.slack.teamId,
      user_team: acme.slack.teamId,
      text: `${botOf(acme)} alert k1`,
      channel: own.id,
      ts: '1800000000.000100',
    })
    await front.idle()
    expect(since().tokens).toEqual([])
    expect(callsOf(acme).map(({ args }) => args.channel)).not.toContain(own.id)
  })
})
