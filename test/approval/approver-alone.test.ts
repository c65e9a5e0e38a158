// The approver's own 401 and 403, met when some had got the access already, or told late.
import { describe, expect, it } from 'vitest'
import { openStorage } from '../../src/storage/storage.ts'
import { trailOf } from '../audit/read.ts'
import { asked, givesReason, openColleagues, posts } from './colleagues.ts'

describe('a token that fails when some were granted already', () => {
  it.each([
    [401, 'Monitoring no longer accepts your token, so the rest wasn’t granted.'],
    [403, 'Your token lacks API or CONTAINER_ACCESS on container 12, so the rest wasn’t granted.'],
  ])('is told to the approver alone (%i); the others hear who is left', async (status, words) => {
    const world = await openColleagues({ env: { APPROVAL_FLAGS: 'READ' } })
    const { bob, carol, general, service, slack } = world
    for (const email of ['erin@example.com', 'frank@example.com']) service.addUser({ email })
    await bob.types('/grant 12 dave@example.com,erin@example.com,frank@example.com READ', general)
    await bob.presses('Ask for approval', await bob.sees('Not sent yet', general))
    await givesReason(bob)
    const card = await carol.sees('🔑', general)
    const stop = service.onChange(() => {
      if (service.membersOf(12).length === 0) return
      stop()
      service.trouble.answer(status, { only: 'POST' })
    })
    await carol.presses('Approve', card)

    const told = await carol.sees(words, general)
    expect(told.isEphemeral).toBe(true)
    expect(told.buttons).toEqual(status === 401 ? ['Connect account'] : [])
    const end = await bob.sees('but only 1 of 3 people got access', bob.dm)
    await slack.idle()
    const [details, ...more] = card.thread
    expect(more).toEqual([])
    expect(details?.plain).toContain('✅ dave@example.com: granted')
    expect(details?.plain).toContain('but another request may work: erin@example.com, frank@example.com.')
    for (const { plain } of [end, card, ...card.thread]) expect(plain).not.toMatch(/token|401|403/)
    if (status === 403) return

    service.trouble.clear()
    service.addToken({ token: 'carol-new', name: 'carol again', flags: ['API', 'READ', 'CONTAINER_ACCESS'] })
    await carol.presses('Connect account', told)
    await carol.seesModal('Connect account')
    await carol.submits({ fields: { 'API token': 'carol-new' } })
    await expect.poll(() => carol.modal?.plain).toContain('Connected.')
    expect(carol.modal?.plain).not.toContain('I’m finishing what you asked for.')
    await slack.idle()
    expect(carol.screen(general)).not.toContain('approved this first')
  })
})

describe('a process that dies between opening a request again and telling why', () => {
  it('leaves that to the next, which tells the approver and records it, once', async () => {
    const world = await openColleagues()
    const { bob, carol, clock, env, slack } = world
    const card = await asked(world)
    const storage = await openStorage({ url: env.DATABASE_URL ?? '', now: clock.now })
    const workspaceId = slack.workspace.teamId
    const [open] = await storage.approvals.openOf({ workspaceId, userId: bob.id })
    const approver = { userId: carol.id, name: 'carol' }
    const begun = await storage.approvals.begin(workspaceId, open?.id ?? '', approver, 60_000)
    if (begun === undefined) throw new Error('it does not begin')
    const forbidden = { kind: 'not-done', code: 'forbidden' } as const
    await storage.approvals.reopen(begun, [{ email: 'dave@example.com', outcome: forbidden }], 0)
    await storage.close()

    await world.restart()
    const told = await carol.sees('your token lacks API or CONTAINER_ACCESS on container 12', carol.dm)
    expect(told.plain).toContain('The request stays open')
    clock.advance(400_000)
    await world.restart()
    await slack.idle()
    expect(carol.messages(carol.dm)).toHaveLength(1)
    const approvals = (await trailOf(world)).filter(({ act }) => act === 'approve')
    expect(approvals.map(({ userId, outcome }) => [userId, outcome])).toEqual([
      [carol.id, 'not-done:forbidden'],
    ])
    expect(card.plain).toMatch(/^🔑/)
    expect(posts(world)).toHaveLength(1)
  })
})
