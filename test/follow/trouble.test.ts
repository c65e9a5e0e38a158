// Troubles of a followed container: nothing new is lost, told as something else, or asked for again and again.
import { describe, expect, it } from 'vitest'
import { carded, followed, inChannel, openCustomer, opens, passes } from './follow.ts'

describe('a change', () => {
  it('that Slack takes no reply about is told a little later, whether or not anything else happens', async () => {
    const world = await openCustomer()
    world.expectRefusals()
    const { bob, general, slack } = world
    const { alert, card } = await carded(world)

    alert.hit({ severity: 1 })
    slack.trouble.rateLimit('chat.postMessage', { retryAfterSeconds: 3 })
    await passes(world)
    await bob.sees('🟣 Disk full', general)
    await passes(world)

    expect((await bob.sees('⬆️ ERROR → ALERT', card)).isBroadcast).toBe(true)
  })
})

describe('an alert', () => {
  it('has its history in its thread a little later where Slack takes no reply yet', async () => {
    const world = await openCustomer()
    world.expectRefusals()
    const { bob, general, slack } = world
    await followed(world)
    opens(world, 'disk').act({ kind: 'Comment', data: { userId: 7, message: 'on it' } })
    const stop = slack.onChange((change) => {
      if (change.kind !== 'message' || !change.message.byBot) return
      stop()
      slack.trouble.rateLimit('chat.postMessage', { retryAfterSeconds: 3 })
    })
    await passes(world)
    const card = await bob.sees('disk is broken', general)
    await slack.idle()
    await passes(world)
    await bob.sees('on it', card)
  })

  it('that can’t be read by itself gets its card from the list, and holds up no other', async () => {
    const world = await openCustomer()
    const { bob, general, service } = world
    await followed(world)
    opens(world, 'odd', { message: 'Odd one', severity: 1 })
    opens(world, 'disk', { message: 'Disk full' })
    service.trouble.malformed('wrong-type', { only: { path: /odd$/ } })

    await passes(world)

    await bob.sees('🟣 Odd one', general)
    await bob.sees('🔴 Disk full', general)
  })

  it('that closes, or opens again, is told, though many others say something else every minute', async () => {
    const world = await openCustomer()
    const { bob, general, service } = world
    await followed(world)
    const disk = opens(world, 'disk', { message: 'Disk full', severity: 4 })
    const hosts: ReturnType<typeof opens>[] = []
    while (hosts.length < 20) {
      for (let each = 0; each < 4; each += 1) hosts.push(opens(world, `host ${hosts.length}`))
      await passes(world)
      await bob.sees(`host ${hosts.length - 1} is broken`, general)
    }

    disk.close('AutoClose')
    for (const host of hosts) host.hit({ message: 'down for a minute' })
    await passes(world)

    await bob.sees('✅ Disk full', general)

    service.reopen('disk')
    for (const host of hosts) host.hit({ message: 'down for two minutes' })
    await passes(world)

    await bob.sees('🟡 Disk full', general)
  })

  it('that monitoring has no more is not left as an open one', async () => {
    const world = await openCustomer()
    const { bob, service } = world
    const { alert, card } = await carded(world, { severity: 2 })
    alert.close()
    service.trouble.answer(404, { only: { path: /^\/alert\// } })
    await passes(world)
    await bob.sees('monitoring no longer has this alert', card)
  })
})

describe('a silence', () => {
  it('is told while it lasts, once, and when it is over', async () => {
    const world = await openCustomer()
    const { bob, general, service, slack } = world
    await followed(world)
    service.trouble.answer(503)
    for (let minutes = 0; minutes < 25; minutes += 1) await passes(world)
    const told = await bob.sees('⚠️ I can’t look at Customer 1 (12) just now', general)
    expect(told.plain).toContain('New alerts appear here once monitoring answers again.')
    await slack.idle()
    expect(inChannel(bob.messages(general), 'I can’t look at')).toHaveLength(1)

    service.trouble.clear()
    await passes(world, 11 * 60_000)

    const over = await bob.sees('New alerts of Customer 1 (12) couldn’t appear here from', general)
    expect(over.plain).toContain('An alert that opened and closed in between isn’t shown.')
    expect(told.plain).toContain('couldn’t appear here')
    service.trouble.answer(503)
    for (let minutes = 0; minutes < 8; minutes += 1) await passes(world)
    await bob.sees('I can’t look at', general)
  })

  it('names no container while Slack doesn’t say who reads there', async () => {
    const world = await openCustomer()
    world.expectRefusals()
    const { bob, general, service, slack } = world
    await followed(world)
    slack.trouble.fail('conversations.info', { error: 'fatal_error' })
    service.trouble.answer(503)
    // Long enough that what Slack said before doesn’t count any more.
    await passes(world, 11 * 60_000)
    await expect.poll(() => slack.calls.at(-1)?.method).toBe('conversations.info')
    await slack.idle()
    expect(inChannel(bob.messages(general), 'I can’t look at')).toEqual([])

    slack.trouble.clear()
    for (let minutes = 0; minutes < 12; minutes += 1) await passes(world)

    await bob.sees('I can’t look at', general)
  })
})

describe('a follow', () => {
  it('says nothing in a channel while Slack doesn’t say who reads there, and then all of it', async () => {
    const world = await openCustomer()
    world.expectRefusals()
    const { bob, general, slack } = world
    await followed(world)
    slack.trouble.fail('conversations.info', { error: 'fatal_error' }, { times: 1 })
    opens(world, 'disk', { message: 'Disk full' })
    const asked = () => slack.calls.filter(({ method }) => method === 'conversations.info').length
    const before = asked()
    // Long enough that what Slack said before doesn’t count any more.
    await passes(world, 11 * 60_000)
    await expect.poll(asked).toBeGreaterThan(before)
    await slack.idle()
    expect(inChannel(bob.messages(general), 'Disk full')).toEqual([])

    await passes(world)
    await bob.sees('🔴 Disk full', general)
  })

  it('is read on after a single “no such container”, and by nobody after a second in a row', async () => {
    const world = await openCustomer()
    const { bob, general, service } = world
    await followed(world)
    const gone = () => service.trouble.answer(404, { times: 1, only: { path: /\/12\/alerts$/ } })
    gone()
    await passes(world)
    opens(world, 'disk', { message: 'Disk full' })
    await passes(world)
    await bob.sees('🔴 Disk full', general)
    gone()
    await passes(world)
    service.trouble.answer(503)
    await passes(world)
    await world.slack.idle(100)
    service.trouble.clear()
    gone()
    await passes(world, 3 * 60_000)
    await world.slack.idle(100)
    expect(inChannel(bob.messages(general), 'can’t read')).toEqual([])
    await passes(world)

    for (let looks = 0; looks < 2; looks += 1) {
      gone()
      await passes(world)
    }
    await bob.sees('can’t read', general)
  })
})
