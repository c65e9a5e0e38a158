// Slack cannot be asked to post only once: what becomes of a reply when nobody knows whether it was posted.
import { describe, expect, it } from 'vitest'
import { readManifest } from '../../playground/server/manifest.ts'
import { openWorld, type World } from '../world.ts'
import { comment, diskFull, liveCard, passes, repliesWith } from './live.ts'

const mayRead = { slack: { botScopes: ['commands', 'chat:write', 'users:read', 'channels:history'] } }

/** Resolves once a reply was cut off. */
function wasCutOff({ slack }: World): Promise<true> {
  return slack.workspace.changes.until(
    () =>
      slack.calls.some(({ method, status }) => method === 'chat.postMessage' && status === 0) || undefined,
    5_000,
    () => 'nothing was posted',
  )
}

/** A live card whose next reply is cut off, with or without having arrived. */
async function cutOff(world: World, takesEffect: boolean) {
  world.expectRefusals()
  const alert = world.service.addAlert(diskFull)
  const card = await liveCard(world)
  await world.slack.idle()
  world.slack.trouble.cut('chat.postMessage', { times: 1, takesEffect })
  alert.act(comment('in doubt'))
  await passes(world)
  await wasCutOff(world)
  await world.slack.idle()
  return { alert, card }
}

describe('a reply that Slack did not confirm', () => {
  it('and that stands in the thread is found there, and not sent again', async () => {
    const world = await openWorld(mayRead)
    const { alert, card } = await cutOff(world, true)
    alert.act(comment('after it', 1_700_000_120))

    await passes(world, 60_000)

    await world.alice.sees('after it', card)
    await passes(world, 60_000)
    await world.slack.idle()
    expect(repliesWith(card, 'in doubt')).toHaveLength(1)
    expect(repliesWith(card, 'twice')).toEqual([])
  })

  it('and that does not stand there is sent again, before what came after it', async () => {
    const world = await openWorld(mayRead)
    const { alert, card } = await cutOff(world, false)
    expect(repliesWith(card, 'in doubt')).toEqual([])
    alert.act(comment('after it', 1_700_000_120))

    await passes(world, 60_000)

    await world.alice.sees('after it', card)
    expect(card.thread.map(({ plain }) => plain.match(/in doubt|after it|twice/g))).toEqual([
      null,
      ['in doubt'],
      ['after it'],
    ])
  })

  it('is sent again where the bot may not look, and says that it may stand there twice', async () => {
    const world = await openWorld({ slack: { botScopes: readManifest().requiredScopes } })
    const { card } = await cutOff(world, true)

    await passes(world, 60_000)

    const again = await world.alice.sees('This may be a duplicate', card)
    expect(again.plain).toContain('in doubt')
    await passes(world, 60_000)
    await passes(world, 60_000)
    await world.slack.idle()
    expect(repliesWith(card, 'in doubt')).toHaveLength(2)
  })

  it('is found in the thread of others that the card stands in', async () => {
    const world = await openWorld(mayRead)
    world.expectRefusals()
    const { alice, bob, general, service, slack } = world
    const alert = service.addAlert(diskFull)
    const parent = bob.says('https://monitor.example.com/alert/5HkX', general)
    await alice.usesShortcut('alert.look-up-in-message', parent)
    const card = await bob.sees('Disk full', parent)
    await bob.sees('No actions', parent)
    await alice.presses('Watch', await alice.sees('Disk full', await alice.sees('/alert/5HkX', general)))
    await bob.sees('● Live', parent)
    await slack.idle()
    slack.trouble.cut('chat.postMessage', { times: 1, takesEffect: true })
    alert.act(comment('in doubt'))
    await passes(world)
    await wasCutOff(world)
    await slack.idle()
    alert.act(comment('after it', 1_700_000_120))

    await passes(world, 60_000)

    await bob.sees('after it', parent)
    await passes(world, 60_000)
    await slack.idle()
    expect(card.message.threadTs).toBe(parent.ts)
    expect(repliesWith(parent, 'in doubt')).toHaveLength(1)
  })

  it('is found in a long thread too', async () => {
    const world = await openWorld(mayRead)
    const { card } = await cutOff(world, true)
    const { alice } = world
    for (let index = 0; index < 250; index += 1) alice.says(`talk ${index}`, card)

    await passes(world, 60_000)
    await passes(world, 60_000)
    await world.slack.idle()

    expect(repliesWith(card, 'in doubt')).toHaveLength(1)
  })

  it('is found with one look where Slack gives 15 messages at a time, however long the thread was', async () => {
    const world = await openWorld({ slack: { ...mayRead.slack, repliesPerPage: 15 } })
    world.expectRefusals()
    const { alice, service, slack } = world
    const alert = service.addAlert(diskFull)
    const card = await liveCard(world)
    for (let index = 0; index < 60; index += 1) alice.says(`talk ${index}`, card)
    await passes(world, 10 * 60_000)
    await slack.idle()
    slack.trouble.cut('chat.postMessage', { times: 1, takesEffect: true })
    alert.act(comment('in doubt'))
    await passes(world)
    await wasCutOff(world)

    const looks = () => slack.calls.filter(({ method }) => method === 'conversations.replies')
    await passes(world, 60_000)
    await expect.poll(() => looks().map(({ args }) => args.limit), { timeout: 30_000 }).toEqual(['15'])
    await slack.idle()

    expect(repliesWith(card, 'in doubt')).toHaveLength(1)
    expect(looks()).toHaveLength(1)
  })

  it('is sent again where Slack lets no app read threads of that kind of channel', async () => {
    const world = await openWorld(mayRead)
    const { card } = await cutOff(world, true)
    world.slack.trouble.fail('conversations.replies', { error: 'method_not_supported_for_channel_type' })

    await passes(world, 60_000)

    expect((await world.alice.sees('This may be a duplicate', card)).plain).toContain('in doubt')
  })

  it('is looked for later when Slack asks to wait with that', async () => {
    const world = await openWorld(mayRead)
    const { card } = await cutOff(world, true)
    const { slack, waits } = world
    slack.trouble.rateLimit('conversations.replies', { retryAfterSeconds: 60 })
    await passes(world, 60_000)
    await slack.idle()
    expect(repliesWith(card, 'in doubt')).toHaveLength(1)

    await passes(world, 70_000)
    await passes(world, 70_000)
    await slack.idle()

    const looks = slack.calls.filter(({ method }) => method === 'conversations.replies')
    expect(looks.map(({ status }) => status)).toEqual([429, 200])
    expect(repliesWith(card, 'in doubt')).toHaveLength(1)
    expect(repliesWith(card, 'twice')).toEqual([])
    // Nobody else’s message waits for it.
    expect(waits).not.toContain(60_000)
  })

  it('is sent again when Slack gives one page a minute, and it is not on the first', async () => {
    const world = await openWorld({ slack: { ...mayRead.slack, repliesPerPage: 15 } })
    const { card } = await cutOff(world, false)
    const { alice, slack } = world
    for (let index = 0; index < 30; index += 1) alice.says(`talk ${index}`, card)
    const look = slack.onChange((change) => {
      if (change.kind !== 'call' || change.call.method !== 'conversations.replies') return
      look()
      slack.trouble.rateLimit('conversations.replies', { retryAfterSeconds: 60, times: 9 })
    })

    await passes(world, 60_000)

    expect((await alice.sees('This may be a duplicate', card)).plain).toContain('in doubt')
  })

  it('is looked for by whoever comes next, in another process too', async () => {
    const world = await openWorld(mayRead)
    const { card } = await cutOff(world, true)
    await world.restart()

    await passes(world, 60_000)
    const looks = () => world.slack.calls.filter(({ method }) => method === 'conversations.replies')
    await expect.poll(() => looks().length, { timeout: 30_000 }).toBe(1)
    await world.slack.idle()

    expect(repliesWith(card, 'in doubt')).toHaveLength(1)
    expect(looks()).toHaveLength(1)
  })

  it('carries the ids of its actions', async () => {
    const world = await openWorld()
    const alert = world.service.addAlert(diskFull)
    const card = await liveCard(world)
    alert.act(comment('one'))
    alert.act(comment('two'))
    await passes(world)

    const reply = await world.alice.sees('two', card)

    expect(reply.message.metadata).toEqual({
      event_type: 'bellhop_reply',
      event_payload: {
        reply: expect.stringMatching(/^[\w-]{36}$/),
        actions: expect.stringMatching(/^[\w-]{16},[\w-]{16}$/),
      },
    })
  })

  it('at the end does not keep the watch from ending once', async () => {
    const world = await openWorld(mayRead)
    world.expectRefusals()
    const alert = world.service.addAlert(diskFull)
    const card = await liveCard(world)
    await world.slack.idle()
    world.slack.trouble.cut('chat.postMessage', { times: 1, takesEffect: true })
    alert.close('Close', { userId: 7 })
    await passes(world)
    await world.alice.sees('The card will stop updating', card)

    await passes(world, 60_000)
    await passes(world, 60_000)
    await world.slack.idle()

    expect(repliesWith(card, 'stop updating')).toHaveLength(1)
  })
})

describe('a reply that Slack refused', () => {
  it('is told later, with what came since', async () => {
    const world = await openWorld()
    world.expectRefusals()
    const { alice, service, slack } = world
    const alert = service.addAlert(diskFull)
    const card = await liveCard(world)
    await slack.idle()
    slack.trouble.fail('chat.postMessage', { error: 'restricted_action' }, { times: 1 })
    alert.act(comment('first'))
    await passes(world)
    await slack.idle()
    alert.act(comment('second', 1_700_000_120))

    await passes(world, 75_000)

    const told = await alice.sees('second', card)
    expect(told.plain).toContain('first')
    expect(repliesWith(card, 'first')).toHaveLength(1)
  })

  it('for its rate waits as long as Slack asks', async () => {
    const world = await openWorld()
    world.expectRefusals()
    const { alice, service, slack } = world
    const alert = service.addAlert(diskFull)
    const card = await liveCard(world)
    await slack.idle()
    slack.trouble.rateLimit('chat.postMessage', { retryAfterSeconds: 200, times: 1 })
    alert.act(comment('news'))
    await passes(world)
    await slack.idle()

    await passes(world, 190_000)
    await slack.idle(100)
    expect(repliesWith(card, 'news')).toEqual([])
    await passes(world, 45_000)

    await alice.sees('news', card)
  })
})
