import { describe, expect, it } from 'vitest'
import { openProcessWorld } from '../playground-world.ts'

const botScopes = ['commands', 'chat:write', 'chat:write.public', 'users:read', 'channels:history']
const everySecond = { WATCH_INTERVAL_SECONDS: '1' }

type World = Awaited<ReturnType<typeof openProcessWorld>>

/** Resolves when the bot has begun to post into a thread. */
function repliesBegins({ slack }: World): Promise<void> {
  return new Promise((resolve) => {
    const stop = slack.onChange((change) => {
      if (change.kind !== 'call_started' || change.call.method !== 'chat.postMessage') return
      if (change.call.args.thread_ts === undefined) return
      stop()
      resolve()
    })
  })
}

/** A live card, and a bot that was killed while it posted a reply about it. */
async function killedWhilePosting(world: World, arrives: boolean) {
  const { alice, general, service, slack } = world
  const alert = service.addAlert({ ks: '5HkX', message: 'Disk full' })
  const bot = await world.start(everySecond)
  await world.connect()
  await alice.types('/alert 5HkX watch', general)
  const card = await alice.sees(/Disk full[\s\S]*● Live/, general)
  await alice.sees('No actions', card)
  if (arrives) slack.trouble.slow('chat.postMessage', 300, { times: 1 })
  else slack.trouble.cut('chat.postMessage', { times: 1, takesEffect: false })
  const begun = repliesBegins(world)
  alert.act({ kind: 'Comment', data: { userId: 7, message: 'in doubt' } })
  await begun
  bot.child.kill('SIGKILL')
  await bot.ended
  alert.act({ kind: 'Comment', data: { userId: 7, message: 'meanwhile' } })
  return card
}

/** What a second bot makes of it, reply by reply. */
async function toldAfter(options: { readonly mayLook: boolean; readonly arrives: boolean }) {
  const world = await openProcessWorld(options.mayLook ? { botScopes } : {})
  const card = await killedWhilePosting(world, options.arrives)
  await world.start(everySecond)
  // What is in doubt is left alone for half a minute.
  await world.alice.sees('meanwhile', card, { limitMs: 45_000 })
  return card.thread.flatMap(({ plain }) => [plain.match(/in doubt|meanwhile|duplicate/g) ?? []]).slice(1)
}

describe('a bot that is killed (kill -9) while it posts what happened', () => {
  it('tells it once, and goes on; where it may not look whether it arrived, it says so', async () => {
    const [arrived, didNot, cannotLook] = await Promise.all([
      toldAfter({ mayLook: true, arrives: true }),
      toldAfter({ mayLook: true, arrives: false }),
      toldAfter({ mayLook: false, arrives: true }),
    ])

    expect(arrived).toEqual([['in doubt'], ['meanwhile']])
    expect(didNot).toEqual([['in doubt'], ['meanwhile']])
    expect(cannotLook).toEqual([['in doubt'], ['in doubt', 'duplicate'], ['meanwhile']])
  }, 90_000)
})

/** Resolves when the bot has begun to write to somebody directly that an alert got worse. */
function directBegins({ slack, alice }: World): Promise<void> {
  return new Promise((resolve) => {
    const stop = slack.onChange((change) => {
      if (change.kind !== 'call_started' || change.call.method !== 'chat.postMessage') return
      if (change.call.args.channel !== alice.id) return
      stop()
      resolve()
    })
  })
}

/** What was told that an alert got worse, by a bot that was killed in between and the next one. */
async function worseToldAfter(where: 'thread' | 'direct', arrives: boolean) {
  const world = await openProcessWorld({ botScopes: [...botScopes, 'im:history'] })
  const { alice, general, service, slack } = world
  const alert = service.addAlert({ ks: '5HkX', message: 'Disk full', severity: 2 })
  const bot = await world.start(everySecond)
  await world.connect()
  await alice.types('/alert 5HkX watch', general)
  const card = await alice.sees(/Disk full[\s\S]*● Live/, general)
  await alice.sees('No actions', card)
  const begun = where === 'thread' ? repliesBegins(world) : directBegins(world)
  const fault = () => {
    if (arrives) slack.trouble.slow('chat.postMessage', 300, { times: 1 })
    else slack.trouble.cut('chat.postMessage', { times: 1, takesEffect: false })
  }
  if (where === 'thread') fault()
  else void repliesBegins(world).then(fault)
  alert.hit({ severity: 1 })
  await begun
  bot.child.kill('SIGKILL')
  await bot.ended
  await world.start(everySecond)
  alert.act({ kind: 'Comment', data: { userId: 7, message: 'meanwhile' } })
  await alice.sees('meanwhile', card, { limitMs: 60_000 })
  await alice.sees('⬆️ CRITICAL → ALERT', card)
  const direct = () => alice.messages(alice.dm).filter(({ plain }) => plain.includes('⬆️'))
  const twice = where === 'direct' && arrives
  await slack.workspace.changes.until(
    () => direct().length >= (twice ? 2 : 1) || undefined,
    60_000,
    () => `${direct().length} direct messages`,
  )
  const inThread = card.thread.filter(({ plain }) => plain.includes('⬆️')).length
  return { inThread, direct: direct().map(({ plain }) => plain.includes('may be a duplicate')) }
}

describe('a bot that is killed (kill -9) while it tells that an alert got worse', () => {
  it('tells the thread once, and whoever watches once, or says that it may be twice', async () => {
    const [arrived, didNot, directArrived] = await Promise.all([
      worseToldAfter('thread', true),
      worseToldAfter('thread', false),
      worseToldAfter('direct', true),
    ])

    expect(arrived).toEqual({ inThread: 1, direct: [false] })
    expect(didNot).toEqual({ inThread: 1, direct: [false] })
    expect(directArrived).toEqual({ inThread: 1, direct: [false, true] })
  }, 150_000)
})
