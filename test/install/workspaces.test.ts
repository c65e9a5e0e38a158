// Several workspaces on one process: each is served with its own token, and what ends in one goes on in the others.
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { flags } from '../../src/grant/flags.ts'
import { startPostgres } from '../postgres.ts'
import { signedHeaders } from '../signed-request.ts'
import { rowsOf } from './books.ts'
import { type Installs, openInstalls, type Tenant } from './world.ts'

const minutes = 60_000

/** Ann of Acme and Gus of Globex are connected. */
async function openTwo() {
  const world = await openInstalls()
  await world.installEverywhere()
  for (const tenant of [world.acme, world.globex]) {
    await world.connect(tenant.admin, tenant, `${tenant.admin.name}-token-4c1d`)
  }
  world.service.addUser({ email: 'dave@example.com' })
  return world
}

const slackOf = ({ slack }: Tenant) => slack

describe('each workspace', () => {
  it('is answered where it asked, with its own bot', async () => {
    const world = await openTwo()
    const { acme, globex, service } = world
    service.addAlert({ ks: 'k1', message: 'Disk full' })
    for (const { admin, general } of [acme, globex]) {
      await admin.writes('@bellhop alert k1', general)
      await admin.sees('No actions', await admin.sees('Disk full', general))
    }
    await world.front.idle()
    expect(service.requests.filter(({ path }) => path === '/alert/k1').map(({ token }) => token)).toEqual([
      'ann',
      'gus',
    ])
    for (const { answer } of [acme, globex].map(slackOf).flatMap(({ calls }) => calls)) {
      expect(answer).toMatchObject({ ok: true })
    }
  })

  it('of an organisation is at home in the installation of all of it', async () => {
    const world = await openTwo()
    const { initech, service } = world
    service.addAlert({ ks: 'k1', message: 'Disk full' })
    const colleague = initech.slack.addPerson({ name: 'oli', teamId: 'T0SISTER01', isOfOrganisation: true })
    initech.general.members.add(colleague.id)
    await world.connect(colleague, initech, 'oli-token-4c1d')
    await colleague.types('/alert k1', initech.general)
    const card = await colleague.sees('Disk full', initech.general)
    await colleague.presses('Refresh', card)
    await expect.poll(() => card.isEdited).toBe(true)
  })
})

describe('a form', () => {
  it('comes back in time where the database doesn’t say whose it is, and can be sent again', async () => {
    const DATABASE_URL = await (await startPostgres()).createDatabase()
    const world = await openInstalls({ env: { DATABASE_URL } })
    await world.installEverywhere()
    const { acme, service, clock } = world
    const { admin, general } = acme
    await world.connect(admin, acme, 'ann-token-4c1d')
    service.addUser({ email: 'dave@example.com' })
    service.addContainer(12)
    await admin.types('/grant', general)
    await admin.seesModal('Grant access')
    await admin.fillsIn({ Container: '12', Email: 'dave@example.com', Role: 'Viewer' })
    await world.front.idle()
    const other = new pg.Client(DATABASE_URL)
    await other.connect()
    await other.query('begin; lock table installations in access exclusive mode')
    clock.advance(6_000)

    const { outcome } = await admin.submits()
    await other.query('rollback')
    await other.end()
    expect(outcome).toBe('acked')
    expect(admin.modal?.plain).toContain('Bellhop is busy. Nothing was')

    await admin.submits()
    await admin.sees('✅ Granted', general)
  })
})

describe('an organisation that gets the bot as a whole', () => {
  it('forgets tokens that were given to one of its workspaces before, as nobody could take them back', async () => {
    const world = await openInstalls()
    const { initech, service, storage, front } = world
    const { admin, member, general, slack } = initech
    const ike = { workspaceId: slack.teamId, userId: member.id }
    const alert = service.addAlert({ ks: 'k1', message: 'Disk full' })
    await world.install(admin)
    await world.connect(member, { ...initech, workspaceId: slack.teamId }, 'ikes-token-5512aa')
    await member.types('/alert k1 watch', general)
    const card = await member.sees('● Live', general)
    await front.idle()
    expect(await storage.accounts.find(ike)).toBeDefined()

    await world.install(admin, { isOrgWide: true })

    expect(await storage.accounts.find(ike)).toBeUndefined()
    alert.act({ kind: 'Comment', data: { message: 'not for them any more' } })
    world.clock.advance(33_000)
    await expect.poll(() => card.plain, { timeout: 30_000 }).not.toContain('● Live')
    expect(card.plain).not.toContain('not for them any more')
    await member.types('/alert k1', general)
    await member.sees('I need your monitoring account', general)
  })

  it('forgets what those tokens have shown, and ends what they did by themselves', async () => {
    const world = await openInstalls()
    const { initech, service, front } = world
    const { admin, member, general, slack } = initech
    service.addMember(12, { id: 50, name: 'Ike Ilves', email: 'ike@initech.example', member: true })
    service.addAlert({ ks: 'k1', message: 'Disk full', containerId: 12, assetId: 34 })
    await world.install(admin)
    await world.connect(member, { ...initech, workspaceId: slack.teamId }, 'ikes-token-5512aa')
    service.addToken({ token: 'ikes-token-5512aa', name: 'ike', flags: [...flags], userId: 50 })
    await member.types(`/alert ${service.linkOf('k1')} watch`, general)
    const card = await member.sees('● Live', general)
    await member.types('/alert assign k1 me', general)
    await member.sees('Assigned to you', general)
    await front.idle()
    const theirs = ['accounts', 'alert_links', 'own_ids', 'watches']
    const left = () => {
      const rows = rowsOf(world, slack.teamId)
      return theirs.filter((table) => rows[table]?.length !== 0)
    }
    expect(left()).toEqual(theirs)

    await world.install(admin, { isOrgWide: true })

    await expect.poll(left, { timeout: 30_000 }).toEqual([])
    await expect.poll(() => card.plain, { timeout: 30_000 }).not.toContain('● Live')
  })

  it('has forgotten those tokens by the time the bot keeps the installation, should it die there', async () => {
    const world = await openInstalls()
    const { initech, env, storage } = world
    const { admin, member, slack } = initech
    await world.install(admin)
    await world.connect(member, { ...initech, workspaceId: slack.teamId }, 'ikes-token-5512aa')
    const database = new DatabaseSync(String(env.DATABASE_URL).replace('file:', ''), { timeout: 5_000 })
    database.exec(
      `create trigger dies before insert on installations begin select raise(abort, 'it died'); end`,
    )
    database.close()

    await world.install(admin, { isOrgWide: true })

    expect(await storage.installations.find(initech.workspaceId)).toBeUndefined()
    expect(await storage.accounts.find({ workspaceId: slack.teamId, userId: member.id })).toBeUndefined()
  })
})

/** The token is good no more, and nothing has told the bot. */
function revoke({ slack }: Tenant): void {
  slack.workspace.uninstall()
}

describe('a workspace whose token is revoked', () => {
  it('stops no watch of another', async () => {
    const world = await openTwo()
    const { acme, globex, service, clock, front } = world
    const alert = service.addAlert({ ks: 'k1', message: 'Disk full' })
    for (const { admin, general } of [acme, globex]) {
      await admin.types('/alert k1 watch', general)
      await admin.sees('● Live', general)
    }
    await front.idle()
    revoke(acme)
    alert.act({ kind: 'Comment', data: { message: 'for those who are left' } })
    clock.advance(33_000)
    await globex.admin.sees('for those who are left', await globex.admin.sees('● Live', globex.general))
  })

  it('keeps nobody elsewhere from hearing what became of a grant, or of a request', async () => {
    const world = await openTwo()
    const { acme, globex, clock, front } = world
    for (const tenant of [acme, globex]) {
      const { admin, member, general, slack } = tenant
      await world.connect(member, tenant, `${member.name}-token-4c1d`, ['API', 'READ'])
      await member.types('/grant 12 dave@example.com READ', general)
      await member.presses('Ask for approval', await member.sees('Not granted', general))
      await member.seesModal('Ask for approval')
      await member.submits({ fields: { Reason: 'On call' } })
      await admin.sees('🔑', general)
      await member.sees('Asked for approval', general)
      await slack.idle()
      slack.trouble.fail('response_url', { status: 500 }, { times: 1 })
      slack.trouble.fail('chat.postMessage', { error: 'fatal_error' }, { times: 1 })
      await admin.types('/grant 12 dave@example.com viewer', general)
      const failed = () => slack.calls.some(({ answer }) => answer.error === 'fatal_error')
      await expect.poll(failed, { timeout: 30_000 }).toBe(true)
      await slack.idle()
    }
    await front.idle()
    revoke(acme)
    clock.advance(25 * 60 * minutes)
    await world.restart()
    await globex.admin.sees('dave@example.com', globex.admin.dm)
    await globex.member.sees('Expired', globex.member.dm)
    await acme.admin.doesNotSee('dave@example.com', acme.admin.dm)
  })
})

describe('taking the bot out of one workspace', () => {
  it('forgets what is kept of it, and nothing of another', async () => {
    const world = await openTwo()
    const { acme, globex, front, service } = world
    service.addAlert({ ks: 'k1', message: 'Disk full' })
    for (const { admin, general } of [acme, globex]) {
      await admin.types('/alert k1 watch', general)
      await admin.sees('● Live', general)
    }
    await front.idle()
    const others = rowsOf(world, globex.workspaceId)

    await front.uninstall(acme.slack)
    await front.idle()

    const left = () => {
      const filled = Object.entries(rowsOf(world, acme.workspaceId)).filter(([, rows]) => rows.length > 0)
      return filled.map(([table]) => table).filter((table) => !table.startsWith('audit'))
    }
    await expect.poll(left, { timeout: 30_000 }).toEqual([])
    const { audit_look_ups: _, ...after } = rowsOf(world, globex.workspaceId)
    const { audit_look_ups: __, ...before } = others
    expect(after).toEqual(before)
    await globex.admin.types('/alert k1', globex.general)
    await globex.admin.sees(/Disk full/, globex.general)
  })
})

describe('a workspace that the bot is not installed in', () => {
  const command = (team: string) =>
    new URLSearchParams({
      ...{ command: '/alert', text: 'k1', team_id: team, user_id: 'U0NOBODY1', user_name: 'nobody' },
      ...{ channel_id: 'C0NOWHERE', channel_name: 'general', trigger_id: '1.2.3' },
    })

  async function sends({ url, front, clock }: Installs, body: string): Promise<number> {
    const headers = signedHeaders(body, front.app.signingSecret, String(Math.floor(clock.now() / 1000)))
    const type = { 'content-type': 'application/x-www-form-urlencoded' }
    return (await fetch(`${url}/slack/events`, { method: 'POST', headers: { ...type, ...headers }, body }))
      .status
  }

  it('gets nothing, and is spoken of once', async () => {
    const world = await openTwo()
    const { front, log, acme, globex } = world
    const before = [acme, globex].map(slackOf).map(({ calls }) => calls.length)
    for (let times = 0; times < 3; times += 1) {
      expect(await sends(world, command('T0NOBODY01').toString())).toBe(200)
    }
    await front.idle()
    // Each request has its own line, which names the workspace.
    const handled = (line: string) => line.includes('"msg":"handled"')
    const lines = log.filter((line) => line.includes('T0NOBODY01') && !handled(line))
    expect(lines).toHaveLength(1)
    expect(lines[0]).toContain('where Bellhop is not installed')
    expect([acme, globex].map(slackOf).map(({ calls }) => calls.length)).toEqual(before)
  })
})
