// A bot that is killed (kill -9) while it posts new alerts of a followed container, and two that follow it together.
import { expect, it } from 'vitest'
import type { SeenMessage } from '../../playground/slack/person/seen.ts'
import { openProcessWorld } from '../playground-world.ts'
import { startPostgres } from '../postgres.ts'
import { playEachStep, type Story } from './faults/each-step.ts'

const settings = { FOLLOW_INTERVAL_SECONDS: '1', WATCH_INTERVAL_SECONDS: '1' }

type World = Awaited<ReturnType<typeof openProcessWorld>>

async function follows({ alice, general, service }: World): Promise<void> {
  service.addContainer(12, { name: 'Customer 1' })
  await alice.types('/alert follow 12', general)
  await alice.presses('Follow', await alice.sees('in this channel?', general))
  await alice.sees('Nothing is open in Customer 1 (12) now', general)
}

const opens = ({ service }: World, ks: string) =>
  service.addAlert({ ks, message: `${ks} is broken`, containerId: 12, severity: 2 })

const standing = ({ alice, general }: World, ks: string) =>
  alice.messages(general).filter(({ plain }) => plain.includes(`${ks} is broken`)).length

it.each([
  ['that arrives', true, 2],
  ['that does not', false, 1],
])(
  'killed during a post %s: each new alert is posted by the next one, and followed on',
  async (_, arrives, most) => {
    const world = await openProcessWorld()
    const { alice, general, slack } = world
    const bot = await world.start(settings)
    await world.connect()
    await follows(world)
    await slack.idle()
    if (arrives) slack.trouble.slow('chat.postMessage', 300, { times: 1 })
    else slack.trouble.cut('chat.postMessage', { times: 1, takesEffect: false })
    const begun = new Promise<void>((resolve) => {
      const stop = slack.onChange((change) => {
        if (change.kind !== 'call_started' || change.call.method !== 'chat.postMessage') return
        stop()
        resolve()
      })
    })
    opens(world, 'disk')
    await begun
    bot.child.kill('SIGKILL')
    await bot.ended
    opens(world, 'raid')
    await world.start(settings)

    const second = await alice.sees('raid is broken', general, { limitMs: 90_000 })
    await alice.sees('disk is broken', general)
    world.service.alert('raid')?.hit({ severity: 1 })
    await alice.sees('⬆️ CRITICAL → ALERT', second, { limitMs: 30_000 })
    expect(standing(world, 'disk')).toBeGreaterThanOrEqual(1)
    expect(standing(world, 'disk')).toBeLessThanOrEqual(most)
  },
  300_000,
)

it('two on one PostgreSQL post each alert once, and one goes on when the other is killed', async () => {
  const postgres = await startPostgres()
  const world = await openProcessWorld({ databaseUrl: await postgres.createDatabase() })
  const { alice, general, service, slack } = world
  const [bot] = [await world.start(settings), await world.start(settings)]
  await world.connect()
  await follows(world)
  for (let at = 0; at < 12; at += 1) {
    opens(world, `host-${at}`)
    await alice.sees(`host-${at} is broken`, general, { limitMs: 90_000 })
    if (at === 5) bot.child.kill('SIGKILL')
    if (at === 5) await bot.ended
  }
  await slack.idle(100)
  for (let at = 0; at < 12; at += 1)
    if (at !== 5 && at !== 6) expect([at, standing(world, `host-${at}`)]).toEqual([at, 1])
  expect(
    service.requests.filter(({ path }) => path === '/container/12/alerts').length,
  ).toBeGreaterThan(12)
}, 300_000)

interface StormBooks {
  /** Messages that tell of the eight, and how many of them the last one tells of. */
  readonly storms: number
  readonly told: string
  /** How the card of the alert that got worse was drawn, in order. */
  readonly drawn: readonly string[]
  readonly isWorseTold: boolean
}

/** Many new alerts, and one with a card that gets worse, found by the look that a change of the follow brings at once. */
const storm: Story<{ card: SeenMessage; consent: SeenMessage; drawn: string[] }, StormBooks> = {
  async prepare(world) {
    const { alice, general, slack } = world
    await world.connect()
    await follows(world)
    opens(world, 'disk')
    await alice.types('/alert follow 12 call @oncall', general)
    await alice.presses('Follow', await alice.sees('in this channel?', general))
    const card = await alice.sees('🔴 disk is broken', general, { limitMs: 60_000 })
    await alice.types('/alert follow 12 call nobody', general)
    const consent = await alice.sees('in this channel?', general)
    const drawn: string[] = []
    slack.onChange((change) => {
      if (change.kind === 'message_changed' && change.message.ts === card.ts)
        drawn.push(card.plain.slice(0, 2))
    })
    return { card, consent, drawn }
  },
  act(world, { consent }) {
    for (let at = 0; at < 8; at += 1) opens(world, `host-${at}`)
    world.service.alert('disk')?.hit({ severity: 1 })
    return world.alice.presses('Follow', consent)
  },
  async end({ alice, general }, { card }) {
    await alice.sees('8 new alerts', general, { limitMs: 60_000 })
    await alice.sees('⬆️ CRITICAL → ALERT', card, { limitMs: 60_000 })
    await alice.sees('🟣 disk', general, { limitMs: 60_000 })
  },
  async books(world, scene) {
    await storm.end(world, scene)
    await world.slack.idle(100)
    const { alice, general } = world
    const storms = alice.messages(general).filter(({ plain }) => plain.includes('new alerts'))
    const isWorseTold = scene.card.thread.some(({ plain }) => plain.includes('⬆️ CRITICAL → ALERT'))
    return {
      storms: storms.length,
      told: storms.at(-1)?.plain ?? '',
      drawn: scene.drawn,
      isWorseTold,
    }
  },
}

it('killed at any step of a look with a storm: all of it is told, in one message, and no card is drawn backwards', async () => {
  const played = await playEachStep(storm, { ending: 'SIGKILL' })

  expect(
    played.filter(({ books }) => !books.told.includes('8 new alerts') || !books.isWorseTold),
  ).toEqual([])
  // Twice only where Slack had taken it and the bot could not write that down any more.
  const twice = played.filter(({ books }) => books.storms > 1)
  expect(
    twice.filter(({ trail }) => !/^left: POST .*chat.postMessage/.test(trail.at(-1) ?? '')),
  ).toEqual([])
  expect(twice.filter(({ books }) => books.storms > 2)).toEqual([])
  expect(
    played.filter(({ books }) => books.drawn.lastIndexOf('🔴') > books.drawn.indexOf('🟣')),
  ).toEqual([])
  expect(played.length).toBeGreaterThan(8)
}, 300_000)

/** Nobody answers a call for ten minutes. */
const again: Story<void, { readonly mentions: number }> = {
  async prepare(world) {
    const { alice, general, slack } = world
    await world.connect()
    await follows(world)
    await alice.types('/alert follow 12 call @oncall', general)
    await alice.presses('Follow', await alice.sees('in this channel?', general))
    await alice.sees('calls @oncall for all severities in place of nobody', general)
    opens(world, 'disk')
    await alice.sees('🔴 disk is broken', general, { limitMs: 60_000 })
    await slack.idle(200)
  },
  async act({ clock }) {
    clock.move(10 * 60_000 + 1_000)
    return { outcome: 'acked' }
  },
  end: ({ alice, general }) => alice.sees('Nobody has taken this', general, { limitMs: 60_000 }),
  async books(world) {
    const { alice, general, slack } = world
    await again.end(world)
    await slack.idle(1_000)
    const said = alice
      .messages(general)
      .filter(({ plain }) => plain.includes('Nobody has taken this'))
    return { mentions: said.length }
  },
}

it('killed at any step of a call that is made again: it is made, twice only where Slack had taken it already', async () => {
  const played = await playEachStep(again, { ending: 'SIGKILL' })

  expect(played.filter(({ books }) => books.mentions > 2)).toEqual([])
  const twice = played.filter(({ books }) => books.mentions > 1)
  expect(
    twice.filter(({ trail }) => !trail.some((step) => /^left: POST .*chat.postMessage/.test(step))),
  ).toEqual([])
  expect(played.length).toBeGreaterThan(4)
}, 300_000)
