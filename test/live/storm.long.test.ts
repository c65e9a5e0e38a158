// Many live cards change at once, in a Slack that keeps its limits: 50 updates a minute, a message a second in a channel.
import { expect, it } from 'vitest'
import type { AlertHandle } from '../../playground/monitor/alerts.ts'
import type { Channel, Message } from '../../playground/slack/model/model.ts'
import { openWorld, type World } from '../world.ts'
import { comment, timesRead } from './live.ts'

const cards = 150
const perPerson = 15
/** Fewer than Slack lets through in a minute. */
const atOnce = 30
/** Longer than it takes; on a busy machine the clock of a test runs ahead of the bot. */
const longSeconds = 1_200

interface Watched {
  readonly alert: AlertHandle
  readonly channel: Channel
  /** The card, and everything in its thread. */
  messages(): readonly Message[]
}

/** Lets time pass second by second, so that everything happens when it is due. */
async function seconds(world: World, most: number, isEnough: () => boolean): Promise<void> {
  for (let second = 0; second < most && !isEnough(); second += 1) {
    world.clock.advance(1_000)
    await world.slack.idle(20)
  }
}

async function watchAll(world: World): Promise<readonly Watched[]> {
  const { slack, service, clock } = world
  const all: Watched[] = []
  const isLive = ({ messages }: Watched) => JSON.stringify(messages()[0]?.blocks).includes('👁')
  for (let from = 0; from < cards; from += atOnce) {
    const people = Array.from(
      { length: atOnce / perPerson },
      (_, index) => `person-${from + index}`,
    )
    for (const name of people) {
      service.addToken({ token: `token-of-${name}`, name, flags: ['API', 'READ'] })
      const person = slack.addPerson({ name })
      world.general.members.add(person.id)
      await world.connect(person, `token-of-${name}`)
      for (let index = 0; index < perPerson; index += 1) {
        const ks = `k${all.length}`
        const channel = slack.addChannel({ name: `of-${ks}`, members: [person], botIsMember: true })
        const messages = () => slack.messagesIn(channel)
        all.push({ alert: service.addAlert({ ks, message: `${ks} is slow` }), channel, messages })
        await person.types(`/alert ${ks} watch`, channel)
      }
    }
    await slack.workspace.changes.until(
      () => all.every(isLive) || undefined,
      10_000,
      () => `${all.filter(isLive).length} of ${all.length} cards are live`,
    )
    clock.advance(61_000)
    await slack.idle(100)
  }
  return all
}

it('150 live cards of one workspace change at once: their threads know it in seconds, the cards in minutes, and nobody’s Refresh waits', async () => {
  const world = await openWorld()
  const { alice, general, service, slack } = world
  service.addAlert({ ks: 'snapshot', message: 'Not live' })
  await alice.types('/alert snapshot', general)
  const snapshot = await alice.sees('Not live', general)
  const all = await watchAll(world)
  const drawn = new Map<string, number>()
  const older: string[] = []
  slack.onChange((change) => {
    if (change.kind !== 'message_changed') return
    const [, number] = /is slow: (\d)/.exec(change.message.text) ?? []
    const before = drawn.get(change.message.ts) ?? 0
    if (Number(number) < before) older.push(change.message.text)
    drawn.set(change.message.ts, Number(number ?? 0))
  })
  const changed = (times: number) => {
    for (const { alert } of all) {
      alert.hit({ message: `${alert.ks} is slow: ${times}`, severity: 1 })
      alert.act(comment(`news ${times}`, 1_700_000_000 + times))
    }
  }
  const told = (times: number) =>
    all.filter(({ messages }) =>
      messages().some(
        ({ threadTs, blocks }) =>
          threadTs !== undefined && JSON.stringify(blocks).includes(`news ${times}`),
      ),
    ).length
  const drawnAnew = (times: number) =>
    [...drawn.values()].filter((number) => number >= times).length
  const refresh = async () => {
    const before = snapshot.message.editedTs
    await alice.presses('Refresh', snapshot)
    await slack.workspace.changes.until(
      () => snapshot.message.editedTs !== before || undefined,
      5_000,
      () => 'Refresh waits',
    )
  }

  changed(1)
  await seconds(world, longSeconds, () => told(1) === cards)
  expect(told(1)).toBe(cards)
  // No thread has waited for its card.
  expect(drawnAnew(1)).toBeLessThan(cards)
  await refresh()
  await seconds(world, longSeconds, () => drawnAnew(1) === cards)
  expect(drawnAnew(1)).toBe(cards)

  // And again, in the middle of it: what waits for its turn is read and told all the same, and drawn once, as it is then.
  changed(2)
  await seconds(world, longSeconds, () => told(2) === cards)
  const read = timesRead(world, 'k7')
  changed(3)
  await seconds(world, longSeconds, () => told(3) === cards)
  expect(told(3)).toBe(cards)
  expect(timesRead(world, 'k7')).toBeGreaterThan(read)
  await refresh()
  await seconds(world, longSeconds, () => drawnAnew(3) === cards)
  expect(drawnAnew(3)).toBe(cards)
  expect(older).toEqual([])
  // Slack never had to ask Bellhop to wait: `openWorld` would fail for a refusal.
  expect(slack.calls.filter(({ status }) => status === 429)).toEqual([])
}, 300_000)
