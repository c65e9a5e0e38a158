// A colleague approves: with their own token, once, and everybody hears what became of it.
import { describe, expect, it } from 'vitest'
import { interaction, send } from '../signed-request.ts'
import { connects, posts } from '../world.ts'
import { asked, line, openAsked, openColleagues } from './colleagues.ts'

describe('a request that is approved', () => {
  it('is granted exactly as it was shown, with the approver’s token; all three hear of it', async () => {
    const { world, card, bob, carol, general, service, slack } = await openAsked(
      `${line} member via password`,
    )

    await carol.presses('Approve', card)

    const told = await bob.sees(
      '✅ Granted by carol\nViewer on container 12 for dave@example.com',
      bob.dm,
    )
    expect(told.plain).toContain('See the request')
    expect(told.text).toMatch(/^✅ Granted by carol\nViewer on container 12 for dave@example\.com/)
    const word = await carol.sees(
      '✅ Granted by you\nViewer on container 12 for dave@example.com',
      general,
    )
    expect(word.isEphemeral).toBe(true)
    const granted = await carol.sees(/^✅ Granted by carol/, general)
    expect(granted.ts).toBe(card.ts)
    expect(granted.buttons).toEqual([])
    expect(granted.plain).toContain('bob asked: Viewer on container 12 for dave@example.com')
    expect(granted.pings).toEqual([])
    const [, post, ...more] = posts(world)
    expect(more).toEqual([])
    expect(post).toMatchObject({ token: 'carol', path: '/container/12/user', status: 204 })
    expect(post?.body).toEqual({
      email: 'dave@example.com',
      authProvider: 'Password',
      member: true,
      permissions: ['READ', 'API', 'REPORTING_VIEW', 'VIEW_LOG'],
    })
    expect(service.membersOf(12)).toHaveLength(1)
    await slack.idle()
    expect(bob.messages(bob.dm)).toHaveLength(1)
    expect(carol.messages(carol.dm)).toEqual([])
  })

  it('sends one POST when two press at the same moment; the slower is told who was first', async () => {
    const { world, card, alice, carol, general, service, slack } = await openAsked()
    service.trouble.slow(100)

    await Promise.all([alice.presses('Approve', card), carol.presses('Approve', card)])
    await alice.sees(/^✅ Granted by (alice|carol)/, general)
    await slack.idle()

    expect(posts(world).filter(({ status }) => status === 204)).toHaveLength(1)
    expect(posts(world)).toHaveLength(2)
    const winner = posts(world)[1]?.token
    const slower = winner === 'alice' ? carol : alice
    expect(slower.screen(general)).toContain(`⏳ Approved by ${winner}, under way.`)
  })

  it('shows the end, though an older state was drawn late by the slower of two', async () => {
    const { world, card, alice, bob, carol, service, slack, general } = await openAsked(line, {
      budgetMs: 500,
    })
    const updates = () => slack.calls.filter(({ method }) => method === 'chat.update')
    service.trouble.hang({ only: 'POST', times: 1 })
    const { payload } = await carol.presses('Approve', card)
    await carol.sees('Approved by carol, under way', general)
    // Alice's client still showed the button; drawing what she is told takes longer than the grant.
    slack.trouble.slow('chat.update', 1500, { times: 1 })
    const user = { id: alice.id, username: 'alice', name: 'alice', team_id: slack.workspace.teamId }
    await send(world, interaction({ ...payload, user, trigger_id: 'hers' }))

    await bob.sees('Approved by carol, but it’s not certain', bob.dm)
    await expect.poll(() => updates().length, { timeout: 30_000 }).toBeGreaterThan(2)
    await slack.idle()

    expect(card.plain).toMatch(/^❓ Approved by carol, but it’s not certain/)
  })
})

describe('an approver without an account', () => {
  it('is asked to connect privately, and approves it then', async () => {
    const world = await openColleagues()
    const { bob, carol, general } = world
    await carol.types('/alert disconnect', general)
    await carol.sees('Disconnected', general)
    const card = await asked(world)

    await carol.presses('Approve', card)
    const prompt = await carol.sees('To decide on this, I need your monitoring account', general)
    expect(prompt.isEphemeral).toBe(true)
    expect(card.plain).toMatch(/^🔑/)
    await connects(carol, 'carol-token', prompt)
    await expect.poll(() => carol.modal?.plain).toContain('Connected.')
    await carol.presses('Approve', card)

    await bob.sees('Granted by carol', bob.dm)
    expect(card.plain).toMatch(/^✅ Granted by carol/)
  })
})

describe('what concerns the approver alone', () => {
  it('a token that is refused asks to connect again, and the request stays open meanwhile', async () => {
    const { card, bob, carol, general, service, clock } = await openAsked()
    service.revoke('carol-token')
    await carol.presses('Approve', card)

    const prompt = await carol.sees('monitoring no longer accepts your token', general)
    expect(prompt.isEphemeral).toBe(true)
    expect(card.plain).toMatch(/^🔑/)
    expect(card.buttons).toEqual(['Approve', 'Decline', 'Withdraw'])
    expect(bob.messages(bob.dm)).toEqual([])

    service.addToken({
      token: 'carol-new',
      name: 'carol again',
      flags: ['API', 'CONTAINER_ACCESS'],
    })
    clock.advance(1000)
    await connects(carol, 'carol-new', prompt)
    await expect.poll(() => carol.modal?.plain).toContain('Connected.')
    await carol.presses('Approve', card)
    await bob.sees('Granted by carol', bob.dm)
  })

  it.each([
    [403, ''],
    [429, ''],
    [400, 'carol’s token lacks one of these flags'],
    [404, 'there’s no container 12'],
  ])(
    '%i is told to them alone, and somebody else can approve, whose token may not meet it',
    async (status, words) => {
      const { card, alice, bob, carol, general, service, slack } = await openAsked()
      service.trouble.answer(status, { only: 'POST', times: 1 })
      await carol.presses('Approve', card)

      expect((await carol.sees('The request stays open', general)).isEphemeral).toBe(true)
      await slack.idle()
      expect(card.plain).toMatch(/^🔑/)
      expect(card.plain).toContain(words)
      expect(bob.messages(bob.dm)).toEqual([])

      await alice.presses('Approve', card)
      await bob.sees('Granted by alice', bob.dm)
    },
  )
})

describe('what ends the request', () => {
  it('in doubt: each is told how, and the card and who asked why', async () => {
    const heading = '❓ Approved by carol, but it’s not certain whether it was done'
    const words = 'I don’t understand'
    const { world, card, bob, carol, general, service, slack } = await openAsked()
    service.trouble.answer(302, { only: 'POST' })
    await carol.presses('Approve', card)

    const told = await bob.sees(heading, bob.dm)
    expect(told.plain).toContain(words)
    const own = await carol.sees(heading.replace('by carol', 'by you'), general)
    expect(own.plain).toContain('See the request')
    await slack.idle()
    expect(card.plain.startsWith(heading)).toBe(true)
    expect(card.buttons).toEqual([])
    expect(card.plain).toContain(words)
    expect(card.thread).toEqual([])
    expect(posts(world)).toHaveLength(2)
  })
})
