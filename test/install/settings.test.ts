// `/alert settings`: admins choose the channels of their own workspace, and nobody else does.
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { openWorld } from '../world.ts'
import { openInstalls, type Tenant } from './world.ts'

const opsOf = ({ slack, admin, member }: Tenant, botIsMember = true) =>
  slack.addChannel({ name: 'ops', members: [admin, member], isPrivate: true, botIsMember })

async function shows({ slack }: Tenant, who: Tenant['admin'], words: string): Promise<string> {
  await slack.workspace.changes.until(
    () => who.modal?.plain.includes(words) || undefined,
    5000,
    () => `${who.name} does not see “${words}”: ${who.modal?.plain}`,
  )
  return who.modal?.plain ?? ''
}

async function choose(tenant: Tenant, fields: Parameters<Tenant['admin']['fillsIn']>[0], who = tenant.admin) {
  await who.types('/alert settings', tenant.general)
  await shows(tenant, who, 'Audit channel')
  await who.submits({ fields })
  return shows(tenant, who, 'Saved.')
}

const channelsOf = async ({ storage }: Awaited<ReturnType<typeof openInstalls>>, { workspaceId }: Tenant) =>
  (await storage.installations.find(workspaceId))?.channels

describe('an admin', () => {
  it('chooses both channels, which are told, and sees them in the form the next time', async () => {
    const world = await openInstalls()
    const { acme } = world
    await world.installEverywhere()
    const ops = opsOf(acme)

    const said = await choose(acme, { 'Audit channel': ops, 'Approval channel': acme.general })

    expect(said).toContain('The audit channel is #ops.')
    expect(said).toContain('The approval channel is #general.')
    await acme.member.sees(
      `${acme.admin.name} chose this channel in /alert settings. From now on, Bellhop posts every grant and approval here.`,
      ops,
    )
    await acme.member.sees('From now on, Bellhop posts every request for approval here.', acme.general)
    expect(await channelsOf(world, acme)).toEqual({ audit: ops.id, approval: acme.general.id })

    await acme.admin.closes()
    await acme.admin.types('/alert settings', acme.general)
    expect(await shows(acme, acme.admin, 'Audit channel')).toContain('#ops')
  })

  it('chooses whom requests mention, by ids as they are typed or pasted', async () => {
    const world = await openInstalls()
    const { acme } = world
    await world.installEverywhere()

    const said = await choose(acme, { Mention: `${acme.member.id}, <!subteam^S0ONCALL1|@oncall>` })

    expect(said).toContain(`Requests for approval mention @${acme.member.name}`)
    expect(acme.slack.pings).toEqual([])
    await acme.member.types('/grant 12 dave@example.com READ', acme.general)
    await acme.member.presses('Ask for approval', await acme.member.sees('I need your', acme.general))
    await acme.member.seesModal('Ask for approval')
    await acme.member.submits({ fields: { Reason: 'On call' } })
    const card = await acme.admin.sees('🔑', acme.general)
    expect(card.pings).toEqual([`<@${acme.member.id}>`, '<!subteam^S0ONCALL1>'])

    await acme.admin.closes()
    await acme.admin.types('/alert settings', acme.general)
    expect(await shows(acme, acme.admin, 'Mention')).toContain(`${acme.member.id}, S0ONCALL1`)
    await acme.admin.submits({ fields: { Mention: '' } })
    expect(await shows(acme, acme.admin, 'Saved.')).not.toContain('mention')
  })

  it('leaves those who are mentioned, in a form of a version that did not ask for them', async () => {
    const world = await openInstalls()
    const { acme } = world
    await world.installEverywhere()
    await choose(acme, { Mention: acme.member.id })
    await acme.admin.closes()
    await acme.admin.types('/alert settings', acme.general)
    await shows(acme, acme.admin, 'Mention')
    const { view, blocks } = await acme.admin.seesModal('Settings')
    Object.assign(view.content, { blocks: blocks.filter(({ block_id }) => block_id !== 'mention') })

    await acme.admin.submits({ fields: { 'Audit channel': acme.general } })

    const said = await shows(acme, acme.admin, 'Saved.')
    expect(said).toContain('The audit channel is #general.')
    expect(said).toContain(`Requests for approval mention @${acme.member.name}`)
  })

  it('is told at once of a mention that is no id, and nothing is saved', async () => {
    const world = await openInstalls()
    const { acme, storage } = world
    await world.installEverywhere()
    await acme.admin.types('/alert settings', acme.general)
    await shows(acme, acme.admin, 'Audit channel')
    await acme.admin.submits({ fields: { 'Audit channel': acme.general, Mention: '@oncall' } })
    expect(acme.admin.modal?.errors).toEqual({ Mention: expect.stringContaining('Paste at most 10 IDs') })
    expect(await storage.installations.find(acme.workspaceId)).toMatchObject({
      channels: { audit: undefined },
      mention: [],
    })
  })

  it('takes a channel away again, and is told nothing where nothing is new', async () => {
    const world = await openInstalls()
    const { acme } = world
    await world.installEverywhere()
    await choose(acme, { 'Audit channel': acme.general })
    await acme.admin.closes()

    const said = await choose(acme, { 'Stop posting to': ['Audit channel'] })

    expect(said).toContain('There is no audit channel.')
    expect(await channelsOf(world, acme)).toEqual({ audit: undefined, approval: undefined })
    const told = acme.slack.messagesIn(acme.general).filter(({ text }) => text.includes('From now on'))
    expect(told).toHaveLength(1)
  })

  it('who is not in a private channel leaves it as it is, though they see it nowhere', async () => {
    const world = await openInstalls()
    const { acme } = world
    const { slack, admin, member, general } = acme
    await world.install(member)
    const secret = slack.addChannel({ name: 'sec', members: [member], isPrivate: true, botIsMember: true })
    await choose(acme, { 'Audit channel': secret, 'Approval channel': general }, member)

    await admin.types('/alert settings', general)
    expect(
      await shows(acme, admin, 'A menu also looks empty if you aren’t in its private channel.'),
    ).not.toContain('#sec')
    await admin.submits({ fields: { 'Approval channel': null } })

    await shows(acme, admin, 'Saved.')
    expect(await channelsOf(world, acme)).toEqual({ audit: secret.id, approval: general.id })
    expect(slack.messagesIn(secret)).toHaveLength(1)
  })

  it('reads what to do about a channel that the bot is not in', async () => {
    const world = await openInstalls()
    const { acme } = world
    await world.installEverywhere()
    const said = await choose(acme, { 'Audit channel': opsOf(acme, false) })
    expect(said).toContain('Bellhop can’t post in #ops yet. Type /invite @Bellhop there.')
  })

  it('reads it in a direct message when they have closed the form meanwhile', async () => {
    const world = await openInstalls()
    const { acme } = world
    await world.installEverywhere()
    const ops = opsOf(acme, false)
    await acme.admin.types('/alert settings', acme.general)
    await shows(acme, acme.admin, 'Audit channel')
    acme.slack.trouble.fail('views.update', { error: 'not_found' })
    // Longer than the answer to a form is kept back.
    acme.slack.trouble.slow('chat.postMessage', 100, { times: 1 })

    await acme.admin.submits({ fields: { 'Audit channel': ops } })

    await acme.admin.sees('Bellhop can’t post in #ops yet. Type /invite @Bellhop there.', acme.admin.dm)
  })

  it.each([
    ['quickly', 0],
    ['after a while', 100],
  ])('reads that it may not have worked when saving fails %s', async (_what, slowMs) => {
    const world = await openInstalls()
    const { acme, env } = world
    await world.install(acme.member)
    await acme.admin.types('/alert settings', acme.general)
    await shows(acme, acme.admin, 'Audit channel')
    const database = new DatabaseSync(env.DATABASE_URL?.replace('file:', '') ?? '', { timeout: 5_000 })
    database.exec(
      "create trigger refuse before update on installations begin select raise(abort, 'refused'); end",
    )
    database.close()
    // Longer than the answer to a form is kept back.
    if (slowMs > 0) acme.slack.trouble.slow('users.info', slowMs)

    await acme.admin.submits({ fields: { 'Audit channel': acme.general } })

    const said = await shows(
      acme,
      acme.admin,
      'Something went wrong in Bellhop, so this may not have worked.',
    )
    expect(said).toContain('Close this form and try again in a minute.')
    expect(said).not.toContain('Saving…')
    await acme.admin.sees('Tell whoever runs it, with the reference', acme.admin.dm)
  })

  it('of the organisation chooses for all of it', async () => {
    const world = await openInstalls()
    const { initech } = world
    await world.installEverywhere()
    await choose(initech, { 'Audit channel': initech.general })
    expect(await channelsOf(world, initech)).toEqual({ audit: initech.general.id, approval: undefined })
  })

  it('is recorded with what they have chosen', async () => {
    const world = await openInstalls()
    const { acme, storage } = world
    await world.installEverywhere()
    await choose(acme, { 'Audit channel': acme.general })
    const records = await storage.auditRecords.page({ after: 0, since: 0, most: 50 })
    const mine = records.filter(({ workspaceId }) => workspaceId === acme.workspaceId)
    expect(mine.map(({ body }) => JSON.parse(body))).toContainEqual({
      userId: acme.admin.id,
      act: 'settings',
      outcome: 'done',
      reference: `audit ${acme.general.id}, approval none, mention none`,
    })
  })

  it('chooses for their own workspace alone', async () => {
    const world = await openInstalls()
    const { acme, globex, initech } = world
    await world.installEverywhere()
    await choose(acme, { 'Audit channel': acme.general, 'Approval channel': acme.general })
    for (const other of [globex, initech]) {
      expect(await channelsOf(world, other)).toEqual({ audit: undefined, approval: undefined })
    }
  })
})

describe('two admins, whom two processes answer', () => {
  /** Ann’s form goes to the one process and Amy’s to the other, which has known the installation for a moment. */
  async function openTwo() {
    const world = await openInstalls()
    const { acme, front } = world
    await world.install(acme.member)
    const other = await world.startAnother()
    const ann = () => front.deliverTo(`${world.url}/slack/events`)
    const amy = () => front.deliverTo(`${other.url}/slack/events`)
    amy()
    await acme.member.types('/alert settings', acme.general)
    await shows(acme, acme.member, 'Audit channel')
    ann()
    return { ...world, world, amy }
  }

  it('choose a channel each: whoever leaves a menu empty leaves what the other has just saved', async () => {
    const { world, acme, amy } = await openTwo()
    const { admin, member, general } = acme
    const ops = opsOf(acme)
    await choose(acme, { 'Audit channel': ops })
    amy()

    await member.submits({ fields: { 'Approval channel': general } })

    expect(await shows(acme, member, 'Saved.')).toContain('The audit channel is #ops.')
    expect(await channelsOf(world, acme)).toEqual({ audit: ops.id, approval: general.id })
    // And nobody is told a second time.
    expect(acme.slack.messagesIn(ops)).toHaveLength(1)
    await admin.closes()
  })

  it('see in the form what the other has just saved', async () => {
    const { acme, amy } = await openTwo()
    const { member, general } = acme
    await choose(acme, { 'Audit channel': opsOf(acme), Mention: member.id })
    await member.closes()
    amy()

    await member.types('/alert settings', general)

    const form = await shows(acme, member, 'Audit channel')
    expect(form).toContain('#ops')
    expect(form).toContain(`Mention (optional): (@${member.name})`)
  })
})

describe('somebody who is no admin', () => {
  it('gets a clear no, and no form', async () => {
    const world = await openInstalls()
    const { acme } = world
    await world.installEverywhere()
    await acme.member.types('/alert settings', acme.general)
    await shows(
      acme,
      acme.member,
      'Only admins of this workspace, and whoever installed Bellhop, can change its settings.',
    )
    expect(acme.member.modal?.labels).toEqual([])
  })

  it('chooses when they have installed it', async () => {
    const world = await openInstalls()
    const { acme } = world
    await world.install(acme.member)
    await choose(acme, { 'Audit channel': acme.general }, acme.member)
    expect(await channelsOf(world, acme)).toMatchObject({ audit: acme.general.id })
  })

  it('saves nothing when the form was open before they lost the right', async () => {
    const world = await openInstalls()
    const { acme } = world
    await world.installEverywhere()
    await world.install(acme.member)
    await acme.member.types('/alert settings', acme.general)
    await shows(acme, acme.member, 'Audit channel')
    await world.install(acme.admin)

    await acme.member.submits({ fields: { 'Audit channel': acme.general } })

    await shows(
      acme,
      acme.member,
      'Only admins of this workspace, and whoever installed Bellhop, can change its settings.',
    )
    expect(await channelsOf(world, acme)).toEqual({ audit: undefined, approval: undefined })
  })
})

describe('audit lines and requests for approval', () => {
  it('go to the channels of the workspace where they come from', async () => {
    const world = await openInstalls({ env: { APPROVAL_FLAGS: 'WEBHOOKS' } })
    const { acme, globex, service } = world
    await world.installEverywhere()
    const [acmeOps, globexOps] = [opsOf(acme), opsOf(globex)]
    await choose(acme, { 'Audit channel': acmeOps, 'Approval channel': acmeOps })
    await acme.admin.closes()
    await choose(globex, { 'Audit channel': globexOps })
    await globex.admin.closes()
    for (const email of ['dave@example.com', 'erin@example.com']) service.addUser({ email })
    await world.connect(acme.member, acme, 'amys-token-5512aa')
    await world.connect(globex.member, globex, 'gils-token-93bb01')

    await acme.member.types('/grant 12 dave@example.com READ', acme.general)
    await globex.member.types('/grant 12 erin@example.com API', globex.general)

    const line = await acme.admin.sees('added dave@example.com', acmeOps)
    expect(line.text).toBe('amy added dave@example.com to container 12: READ.')
    expect((await globex.admin.sees('added erin@example.com', globexOps)).text).toContain('gil added')

    await acme.member.types('/grant 12 dave@example.com WEBHOOKS', acme.general)
    await acme.member.sees('Ask for approval', acme.general)
    await acme.member.presses('Ask for approval')
    await acme.member.seesModal('Ask for approval')
    await acme.member.submits({ fields: { Reason: 'on call' } })
    await acme.admin.sees('on call', acmeOps)
  })
})

describe('where the operator has set them', () => {
  it('says so, to anybody', async () => {
    const world = await openWorld()
    await world.bob.types('/alert settings', world.general)
    const answer = await world.bob.sees('There is no audit channel.', world.general)
    expect(answer.isEphemeral).toBe(true)

    await world.restart({ AUDIT_CHANNEL: world.general.id })
    await world.bob.types('/alert settings', world.general)
    const said = await world.bob.sees('The audit channel is #general.', world.general)
    expect(said.plain).toContain('with AUDIT_CHANNEL and APPROVAL_CHANNEL')
  })

  it('takes nothing behind the word', async () => {
    const { bob, general } = await openWorld()
    await bob.types('/alert settings please', general)
    await bob.sees('Nothing goes after /alert settings.', general)
  })
})

describe('settings that are written to the bot', () => {
  it('are asked for as a command, which can open a form', async () => {
    const world = await openInstalls()
    const { acme } = world
    await world.installEverywhere()
    acme.admin.says('@Bellhop alert settings', acme.general)
    await acme.admin.sees('To open it, type /alert settings as a command.', acme.general)
  })
})
