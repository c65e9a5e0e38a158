// *Invite by email*, of an address that monitoring doesn’t know: after a question, once, and never by itself.
import { describe, expect, it } from 'vitest'
import { asksOn, openColleagues } from '../approval/colleagues.ts'
import { trailOf } from '../audit/read.ts'
import { openWorld, type World, type WorldOptions } from '../world.ts'
import { viewer } from './dave.ts'

const invitations = ({ service }: World) =>
  service.requests.filter(({ path }) => path.endsWith('/invite'))

async function asked(options?: WorldOptions) {
  const world = await openWorld(options)
  const { alice, general } = world
  await alice.types('/grant 12 new@example.com viewer', general)
  await alice.presses(
    'Invite by email',
    await alice.sees('I can’t see new@example.com on', general),
  )
  return { world, question: await alice.sees('Invite new@example.com to', general) }
}

describe('Invite by email', () => {
  it('says that monitoring sends an email, and to whom; then it is done, once', async () => {
    const { world, question } = await asked()
    const { alice, general, service, slack } = world
    expect(question.plain).toContain('Monitoring sends an email to new@example.com.')
    expect(invitations(world)).toEqual([])
    const press = () => alice.presses('Invite by email', question)
    await Promise.all([press(), press()])

    await alice.sees('✅ Invited: new@example.com to container 12, as Viewer', general)
    await slack.idle()

    expect(invitations(world)).toMatchObject([{ method: 'PUT', token: 'alice', status: 201 }])
    expect(service.invitationsOf(12)).toEqual([
      { email: 'new@example.com', member: false, permissions: viewer },
    ])
    expect((await trailOf(world)).at(-1)).toMatchObject({
      act: 'invite',
      outcome: 'done',
      permissions: viewer,
    })
  })

  it('says what is pending where they are invited already, and replaces it when that is pressed', async () => {
    const world = await openWorld()
    const { alice, general, service } = world
    const asksFor = async (what: string, shown: string) => {
      await alice.types(`/grant 12 new@example.com ${what}`, general)
      const refused = await alice.sees(`${shown} on`, general)
      await world.slack.idle()
      await alice.presses('Invite by email', refused)
      return alice.sees('Invite new@example.com to', general)
    }
    await alice.presses(
      'Invite by email',
      await asksFor('viewer,BILLING member', 'Viewer and BILLING'),
    )
    await alice.sees('✅ Invited', general)
    await world.slack.idle()

    const question = await asksFor('viewer', 'Viewer')
    const words = 'new@example.com is invited already. Inviting them again may replace that.'
    expect(question.plain).toContain(words)
    expect(question.confirmationOf('Invite by email')?.text).toContain(words)
    expect(invitations(world)).toHaveLength(1)
    await alice.presses('Invite by email', question, { confirm: true })
    await expect
      .poll(() => service.invitationsOf(12))
      .toEqual([{ email: 'new@example.com', member: false, permissions: viewer }])
  })

  it('asks as before where the list of invitations can’t be read', async () => {
    const world = await openWorld()
    const { alice, general, service } = world
    service.trouble.answer(403, { only: { path: /invites$/ } })
    await alice.types('/grant 12 new@example.com viewer', general)
    const refused = await alice.sees('I can’t see new@example.com on', general)
    await alice.presses('Invite by email', refused)
    await alice.sees('Invite new@example.com to', general)
  })

  it('uses the method that the service has', async () => {
    const { world, question } = await asked()
    world.service.behaves({ inviteMethod: 'POST' })
    await world.alice.presses('Invite by email', question)
    await world.alice.sees('✅ Invited: new@example.com', world.general)
    expect(invitations(world).map(({ method, status }) => `${method} ${status}`)).toEqual([
      'PUT 405',
      'POST 201',
    ])
  })

  it.each<[string, (world: World) => void, string]>([
    [
      'done where the list of invitations has it',
      ({ service }) => service.trouble.cut({ when: 'after-effect', only: 'PUT', times: 1 }),
      '✅ Invited: new@example.com',
    ],
    [
      'not certain where it hasn’t',
      ({ service }) => service.trouble.answer(503, { only: 'PUT', times: 1 }),
      '❓ Not certain: new@example.com may or may not be invited to',
    ],
  ])('without an answer is %s', async (_, happens, words) => {
    const { world, question } = await asked()
    happens(world)
    await world.alice.presses('Invite by email', question)
    await world.alice.sees(words, world.general)
    expect(invitations(world)).toHaveLength(1)
  })

  it('is refused for somebody whom monitoring knows by then', async () => {
    const { world, question } = await asked()
    world.service.addUser({ email: 'new@example.com' })
    await world.alice.presses('Invite by email', question)
    const told = await world.alice.sees('⛔ Not invited: monitoring says no', world.general)
    expect(told.plain).toContain('Somebody with this address may have an account already')
  })

  it('needs a colleague for flags that a grant needs one for', async () => {
    const world = await openColleagues()
    const { alice, carol, general, service } = world
    await alice.types('/grant 12 new@example.com viewer', general)
    const refused = await alice.sees('I can’t see new@example.com on', general)
    await world.restart({ APPROVAL_FLAGS: 'READ' })
    await alice.presses('Invite by email', refused)
    await asksOn(alice, await alice.sees('A colleague has to approve READ first.', general))
    const card = await carol.sees(
      '🔑 alice asks: Invite new@example.com to container 12 as Viewer',
      general,
    )
    await carol.presses('Approve', card)
    await alice.sees('✅ Invited by carol', alice.dm)
    expect(service.invitationsOf(12)).toHaveLength(1)
  })

  it('is not offered to a token that lacks CONTAINER_ACCESS', async () => {
    const world = await openWorld()
    const { alice, general, service } = world
    service.trouble.answer(400, { only: 'POST', times: 1 })
    service.trouble.answer(200, {
      only: { path: /permissions$/ },
      body: { permissions: ['API', 'READ'] },
    })
    await alice.types('/grant 12 new@example.com viewer', general)
    const told = await alice.sees('your token lacks CONTAINER_ACCESS, REPORTING_VIEW and', general)
    expect(told.buttons).toEqual(['Edit and try again'])
  })
})
