// A bot that is killed (kill -9) while it posts new alerts of a followed container, and two that follow it together.
import { expect, it } from 'vitest'
import { openProcessWorld } from '../playground-world.ts'
import { startPostgres } from '../postgres.ts'

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
  expect(service.requests.filter(({ path }) => path === '/container/12/alerts').length).toBeGreaterThan(12)
}, 300_000)
