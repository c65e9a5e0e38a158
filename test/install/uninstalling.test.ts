// The bot is taken out of one workspace: what is kept of it goes, and nothing else does.
import { describe, expect, it, vi } from 'vitest'
import { openInstalls } from './world.ts'

const soon = { timeout: 30_000, interval: 20 }

describe('an installation that is taken out', () => {
  it('is forgotten with everybody in it, and the others go on', async () => {
    const world = await openInstalls()
    const { acme, globex, front, storage, service } = world
    await world.installEverywhere()
    await world.connect(acme.member, acme, 'amys-token-5512aa')
    await world.connect(globex.member, globex, 'gils-token-93bb01')

    await front.uninstall(acme.slack)

    const installed = (workspaceId: string) => storage.installations.find(workspaceId)
    await vi.waitFor(async () => expect(await installed(acme.workspaceId)).toBeUndefined(), soon)
    const amy = { workspaceId: acme.workspaceId, userId: acme.member.id }
    expect(await storage.accounts.find(amy)).toBeUndefined()
    expect(await installed(globex.workspaceId)).toBeDefined()
    service.addAlert({ ks: '5HkX', message: 'Disk full' })
    await globex.member.types('/alert 5HkX', globex.general)
    await globex.member.sees('Disk full', globex.general)
    const records = await storage.auditRecords.page({ after: 0, since: 0, most: 50 })
    const acts = records
      .filter(({ workspaceId }) => workspaceId === acme.workspaceId)
      .map(({ body }) => [JSON.parse(body).act, JSON.parse(body).cause])
    expect(acts).toEqual([
      ['install', undefined],
      ['connect', undefined],
      ['disconnect', 'uninstalled'],
      ['uninstall', undefined],
    ])
  })

  it('is kept when it is in again by the time Slack tells of it', async () => {
    const world = await openInstalls()
    const { acme, front, storage, log } = world
    await world.installEverywhere()
    // Slack tells of it once more when everything is over.
    await front.uninstall(acme.slack)
    await vi.waitFor(
      async () => expect(await storage.installations.find(acme.workspaceId)).toBeUndefined(),
      soon,
    )
    await world.install(acme.admin)
    await world.connect(acme.member, acme, 'amys-token-5512aa')

    await acme.slack.event({ type: 'tokens_revoked', tokens: { oauth: [], bot: [acme.slack.bot.userId] } })
    await acme.slack.event({ type: 'app_uninstalled' })

    const said = () => log.filter((line) => line.includes('has been installed again'))
    await vi.waitFor(() => expect(said()).toHaveLength(2), soon)
    expect(await storage.installations.find(acme.workspaceId)).toBeDefined()
    const amy = { workspaceId: acme.workspaceId, userId: acme.member.id }
    expect(await storage.accounts.find(amy)).toBeDefined()
  })

  it('is forgotten although its token is still good when Slack tells of it', async () => {
    const world = await openInstalls()
    const { acme, storage } = world
    await world.installEverywhere()
    await world.connect(acme.member, acme, 'amys-token-5512aa')
    const looks = () => acme.slack.calls.filter(({ method }) => method === 'auth.test').length
    const before = looks()

    await acme.slack.event({ type: 'app_uninstalled' })
    await vi.waitFor(() => expect(looks()).toBeGreaterThan(before), soon)
    acme.slack.workspace.uninstall()

    const amy = { workspaceId: acme.workspaceId, userId: acme.member.id }
    await vi.waitFor(async () => expect(await storage.accounts.find(amy)).toBeUndefined(), soon)
    await vi.waitFor(
      async () => expect(await storage.installations.find(acme.workspaceId)).toBeUndefined(),
      soon,
    )
  })

  it('is kept by a process that has not seen yet that it is in again', async () => {
    const world = await openInstalls()
    const { acme, front, storage, log } = world
    await world.installEverywhere()
    const other = await world.startAnother()
    // It knows the former token for some seconds, as it uses it.
    front.deliverTo(`${other.url}/slack/events`)
    await acme.member.types('/alert help', acme.general)
    await front.idle()
    acme.slack.workspace.uninstall()
    await world.install(acme.admin)
    await world.connect(acme.member, acme, 'amys-token-5512aa')

    await acme.slack.event({ type: 'app_uninstalled' })

    await vi.waitFor(() => expect(log.join('')).toContain('has been installed again'), soon)
    const amy = { workspaceId: acme.workspaceId, userId: acme.member.id }
    expect(await storage.accounts.find(amy)).toBeDefined()
  })

  it('is not taken for that of its organisation, when Slack tells of it once more', async () => {
    const world = await openInstalls()
    const { initech, storage, front } = world
    await world.install(initech.admin, { isOrgWide: true })
    await world.connect(initech.member, initech, 'ikes-token-5512aa')
    // One of its workspaces had the bot by itself as well, which is forgotten already.
    initech.slack.workspace.isOrgWide = false

    await initech.slack.event({ type: 'app_uninstalled' })
    await initech.slack.event({ type: 'tokens_revoked', tokens: { oauth: [], bot: ['U0BOT'] } })
    await front.idle()

    const ike = { workspaceId: initech.workspaceId, userId: initech.member.id }
    expect(await storage.accounts.find(ike)).toBeDefined()
    expect(await storage.installations.find(initech.workspaceId)).toBeDefined()
  })

  it('is that of the organisation where Slack names a workspace of it', async () => {
    const { initech, storage, front, ...world } = await openInstalls()
    await world.install(initech.admin, { isOrgWide: true })
    await world.connect(initech.member, initech, 'ikes-token-5512aa')
    initech.slack.workspace.isOrgWide = false

    await front.uninstall(initech.slack)

    const installed = () => storage.installations.find(initech.workspaceId)
    await vi.waitFor(async () => expect(await installed()).toBeUndefined(), soon)
    const ike = { workspaceId: initech.workspaceId, userId: initech.member.id }
    expect(await storage.accounts.find(ike)).toBeUndefined()
  })

  it('goes on where somebody has taken back their own authorization, and their account goes', async () => {
    const { initech, storage, front, ...world } = await openInstalls()
    await world.install(initech.admin, { isOrgWide: true })
    await world.connect(initech.member, initech, 'ikes-token-5512aa')
    initech.slack.workspace.isOrgWide = false

    await initech.slack.event({ type: 'tokens_revoked', tokens: { oauth: [initech.member.id], bot: [] } })
    await front.idle()

    const ike = { workspaceId: initech.workspaceId, userId: initech.member.id }
    await vi.waitFor(async () => expect(await storage.accounts.find(ike)).toBeUndefined(), soon)
    expect(await storage.installations.find(initech.workspaceId)).toBeDefined()
  })

  it('is not forgotten before Slack says that its token is bad', async () => {
    const world = await openInstalls()
    const { acme, storage, log } = world
    await world.installEverywhere()
    acme.slack.trouble.fail('auth.test', { status: 503 }, { times: 2 })
    acme.slack.workspace.uninstall()

    await acme.slack.event({ type: 'app_uninstalled' })

    await vi.waitFor(
      async () => expect(await storage.installations.find(acme.workspaceId)).toBeUndefined(),
      soon,
    )
    expect(log.join('')).toContain('an event could not be handled; trying again')
  })
})
