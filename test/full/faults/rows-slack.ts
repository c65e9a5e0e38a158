// Faults of Slack, and what changes in it under the bot.
import { expect } from 'vitest'
import { comment, intervalMs, liveCard, passes } from '../../live/live.ts'
import type { World } from '../../world.ts'
import { diskFull, type Fault, grants, seenBy, timesSent } from './fault.ts'

const everywhere = [
  ...['chat.postMessage', 'chat.postEphemeral', 'chat.update', 'response_url', 'views.open', 'views.update'],
  ...['users.info', 'views.publish'],
]

/** Alice looks the alert up, and sees it in the channel. */
async function cardShown({ alice, general, service }: World) {
  service.addAlert(diskFull)
  await alice.types('/alert 5HkX', general)
  return alice.sees('Disk full', general)
}

export const slackFaults: readonly Fault[] = [
  {
    fault: 'Slack answers 429 with `Retry-After`, to posts, updates and private answers',
    seen: 'the answer, as late as Slack asks for',
    async play(world) {
      world.expectRefusals()
      const { alice, service, slack, waits } = world
      for (const method of everywhere.slice(0, 4))
        slack.trouble.rateLimit(method, { retryAfterSeconds: 2, times: 1 })
      const card = await cardShown(world)
      await alice.sees('No actions', card)
      service.addAlert(diskFull).act(comment('news'))
      await alice.presses('Refresh', card)
      await alice.sees('news', card)
      await grants(world, 'e1@example.com')
      await alice.sees('✅ Granted', world.general)
      await slack.idle()
      expect(seenBy(alice, /^✅ Granted/, world)).toHaveLength(1)
      expect(alice.messages(world.general).filter(({ plain }) => plain.includes('Disk full'))).toHaveLength(1)
      expect(waits).toContain(2_000)
    },
  },
  {
    fault: 'Slack answers 500 to a post',
    seen: 'the card in another form: with its history in one message',
    async play(world) {
      world.expectRefusals()
      world.slack.trouble.fail('chat.postMessage', { status: 500 })
      await cardShown(world)
      await world.slack.idle()
      expect(seenBy(world.alice, /Disk full/, world)).toHaveLength(1)
    },
  },
  {
    fault: 'The connection to Slack breaks before a message is posted',
    seen: 'the card, or the receipt of a grant, in another form',
    async play(world) {
      world.expectRefusals()
      const { alice, slack } = world
      slack.trouble.cut('chat.postMessage')
      await cardShown(world)
      slack.trouble.cut('response_url')
      await grants(world, 'e3@example.com')
      await alice.sees('✅ Granted', alice.dm)
      await slack.idle()
      expect(seenBy(alice, /Disk full/, world)).toHaveLength(1)
      expect(seenBy(alice, /✅ Granted/, world)).toHaveLength(1)
    },
  },
  {
    fault: 'The connection to Slack breaks after a message is posted, or Slack takes longer than 10 s',
    seen: 'the same message twice: Slack never confirmed the first',
    async play(world) {
      world.expectRefusals()
      const { alice, slack } = world
      slack.trouble.cut('response_url', { takesEffect: true })
      await grants(world, 'e4@example.com')
      await alice.sees('✅ Granted', alice.dm)
      slack.trouble.slow('response_url', 13_000, { times: 1 })
      await grants(world, 'e5@example.com')
      await alice.sees(/✅ Granted[\s\S]*e5@/, alice.dm, { limitMs: 60_000 })
      await slack.idle()
      expect(timesSent(world, 'e4@example.com')).toBe(1)
      expect(seenBy(alice, /✅ Granted[\s\S]*e4@/, world)).toHaveLength(2)
      const alert = world.service.addAlert(diskFull)
      const card = await liveCard(world)
      await slack.idle()
      slack.trouble.cut('chat.postMessage', { takesEffect: true })
      alert.act(comment('news'))
      await passes(world)
      await alice.sees('news', card)
      await passes(world, 3 * intervalMs)
      await slack.idle(200)
      expect(card.thread.filter(({ plain }) => plain.includes('news'))).toHaveLength(2)
    },
  },
  {
    fault: 'Slack rejects a block (`invalid_blocks`)',
    seen: 'the sentence alone, which says everything',
    async play(world) {
      world.expectRefusals()
      world.slack.trouble.fail('chat.postMessage', { error: 'invalid_blocks' }, { times: 1 })
      const card = await cardShown(world)
      expect(card.blocks).toEqual([])
      await world.alice.sees('No actions', card)
    },
  },
  {
    fault: 'The channel of a live card is archived',
    seen: 'a direct message: they no longer watch it, and how to watch it again',
    async play(world) {
      world.expectRefusals()
      const { alice, general, service, slack } = world
      const alert = service.addAlert(diskFull)
      await liveCard(world)
      await slack.idle()
      general.isArchived = true
      alert.hit({ message: 'Disk fuller' })
      await passes(world)
      const gone = 'You’re no longer watching “Disk full”'
      await alice.sees(gone, alice.dm)
      await passes(world)
      await slack.idle(100)
      expect(alice.messages(alice.dm).filter(({ plain }) => plain.includes(gone))).toHaveLength(1)
    },
  },
  {
    fault: 'Somebody leaves while they have a grant under way and a live card',
    seen: 'in the card’s thread: it stopped updating, because they are no longer connected',
    async play(world) {
      const { alice, bob, general, service, slack } = world
      world.expectRefusals()
      service.addAlert(diskFull)
      await liveCard(world)
      const card = await bob.sees('👁', general)
      service.trouble.slow(200)
      await grants(world, 'e7@example.com')
      await world.serviceWasAsked('/container/12/user', 1)
      await slack.deactivate(alice)
      await bob.sees('Stopped updating', card)
      await slack.idle(300)
      expect(timesSent(world, 'e7@example.com')).toBe(1)
    },
  },
  {
    fault: 'The Socket Mode connection drops again and again while commands come in',
    seen: 'Slack’s own “did not respond”, or the answer',
    options: { transport: 'socket' },
    async play(world) {
      world.expectRefusals()
      const { alice, general, slack } = world
      const acked: string[] = []
      for (let turn = 1; turn <= 8; turn += 1) {
        const email = `s${turn}@example.com`
        world.service.addUser({ email })
        const typed = alice.types(`/grant 12 ${email} viewer`, general)
        if (turn % 2 === 0) slack.socket.drop()
        if ((await typed).outcome === 'acked') acked.push(email)
        await slack.socket.connected(15_000)
      }
      expect(acked.length).toBeGreaterThanOrEqual(4)
      for (const email of acked) await alice.sees(new RegExp(`✅ Granted[\\s\\S]*${email}`), general)
      await slack.idle(200)
      for (const email of acked)
        expect(seenBy(alice, new RegExp(`✅ Granted[\\s\\S]*${email}`), world)).toHaveLength(1)
    },
  },
  {
    fault: 'Slack is down for a while, and comes back',
    seen: 'the outcome of a grant, in a direct message; a live card that is up to date',
    async play(world) {
      world.expectRefusals()
      const { alice, clock, service, slack } = world
      const alert = service.addAlert(diskFull)
      const card = await liveCard(world)
      await slack.idle()
      const down = everywhere.map((method) => slack.trouble.fail(method, { status: 503 }, { times: 999 }))
      await grants(world, 'e8@example.com')
      await world.serviceWasAsked('/container/12/user', 1)
      alert.act(comment('while it was down'))
      await passes(world)
      await slack.idle(200)
      for (const order of down) order.cancel()
      for (let minute = 0; minute < 8; minute += 1) await passes(world, 60_000)
      await alice.sees('while it was down', card)
      clock.advance(400_000)
      await world.restart()
      await alice.sees(/✅ Granted[\s\S]*Here’s the result of a grant you asked for earlier/, alice.dm)
      await slack.idle(200)
      expect(card.thread.filter(({ plain }) => plain.includes('while it was down'))).toHaveLength(1)
      expect(seenBy(alice, /✅ Granted/, world)).toHaveLength(1)
    },
  },
]
