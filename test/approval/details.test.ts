// Details of a refusal: once, in the thread of the request, whatever Slack does; elsewhere only where there is no thread.
import { describe, expect, it } from 'vitest'
import { asked, givesReason, line, openColleagues } from './colleagues.ts'

const words = 'already be on container 12'

describe('why monitoring refused a grant', () => {
  it('is told in the thread later, once, when Slack did not take it at first', async () => {
    const world = await openColleagues()
    world.expectRefusals()
    const { bob, carol, clock, service, slack } = world
    const card = await asked(world)
    service.trouble.answer(400, { only: 'POST' })
    slack.trouble.fail('chat.postMessage', { error: 'fatal_error' }, { times: 1 })
    await carol.presses('Approve', card)
    await bob.sees('The request’s thread has the details.', bob.dm)
    await slack.idle()
    expect(card.thread).toEqual([])

    await world.restart()
    for (let looks = 0; looks < 2; looks += 1) {
      clock.advance(61_000)
      await world.restart()
      await slack.idle()
      expect(card.thread.map(({ plain }) => plain)).toEqual([expect.stringContaining(words)])
    }

    expect(bob.messages(bob.dm)).toHaveLength(1)
  })

  it('is told to who asked where Slack does not let the bot post in the thread', async () => {
    const world = await openColleagues()
    world.expectRefusals()
    const { bob, carol, service, slack } = world
    const card = await asked(world)
    service.trouble.answer(400, { only: 'POST' })
    slack.trouble.fail('chat.postMessage', { error: 'restricted_action' }, { times: 1 })
    await carol.presses('Approve', card)

    expect((await bob.sees('monitoring refused it', bob.dm)).plain).toContain(words)
    await slack.idle()
    expect(card.thread).toEqual([])
  })

  it('is told to who asked in full also when Slack took that message only later', async () => {
    const world = await openColleagues()
    world.expectRefusals()
    const { bob, carol, clock, service, slack } = world
    const card = await asked(world)
    service.trouble.answer(400, { only: 'POST' })
    slack.trouble.fail('chat.postMessage', { error: 'restricted_action' }, { times: 1 })
    slack.trouble.fail('chat.postMessage', { error: 'fatal_error' }, { times: 1 })
    await carol.presses('Approve', card)
    await slack.idle()
    expect(bob.messages(bob.dm)).toEqual([])

    slack.trouble.fail('chat.postMessage', { error: 'restricted_action' }, { times: 1 })
    clock.advance(61_000)
    await world.restart()

    expect((await bob.sees('monitoring refused it', bob.dm)).plain).toContain(words)
    await slack.idle()
    expect(bob.screen(bob.dm)).not.toContain('thread has the details')
    expect(card.thread).toEqual([])
  })

  it('is told to who asked where another organisation reads the channel by now', async () => {
    const world = await openColleagues()
    const { bob, carol, general, service, slack } = world
    const card = await asked(world)
    service.trouble.answer(400, { only: 'POST' })
    await slack.share(general)
    await carol.presses('Approve', card)

    expect((await bob.sees('monitoring refused it', bob.dm)).plain).toContain(words)
    await slack.idle()
    expect(card.thread).toEqual([])
  })

  it('stands on the card where Slack has not said where that is', async () => {
    const world = await openColleagues()
    const { bob, carol, ops, service } = world
    await bob.types(line, ops)
    await bob.presses('Ask for approval', await bob.sees('Not granted', ops))
    await givesReason(bob)
    service.trouble.answer(400, { only: 'POST' })
    await carol.presses('Approve', await carol.sees('🔑', ops))

    const card = await carol.sees(/^⚠️ Approved by carol, but monitoring refused it/, ops)
    expect(card.plain).toContain(words)
    const told = await bob.sees('monitoring refused it', bob.dm)
    expect(told.plain).toContain(words)
    expect(told.plain).not.toContain('See the request')
  })
})
