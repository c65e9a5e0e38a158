import { expect, it } from 'vitest'
import { openProcessWorld } from '../playground-world.ts'

/** A live card whose alert gets worse, and a bot that is killed while it posts that; then another one comes up. */
async function toldAfter(arrives: boolean) {
  const world = await openProcessWorld()
  const { alice, general, service, slack } = world
  const settings = { WATCH_INTERVAL_SECONDS: '1' }
  const alert = service.addAlert({ ks: '5HkX', message: 'Disk full', severity: 2 })
  const bot = await world.start(settings)
  await world.connect()
  await alice.types('/alert 5HkX watch', general)
  const card = await alice.sees(/Disk full[\s\S]*👁/, general)
  await alice.sees('No actions', card)
  if (arrives) slack.trouble.slow('chat.postMessage', 300, { times: 1 })
  else slack.trouble.cut('chat.postMessage', { times: 1, takesEffect: false })
  const begun = new Promise<void>((resolve) => {
    const stop = slack.onChange((change) => {
      if (change.kind !== 'call_started' || change.call.method !== 'chat.postMessage') return
      if (change.call.args.thread_ts === undefined) return
      stop()
      resolve()
    })
  })
  alert.hit({ severity: 1 })
  await begun
  bot.child.kill('SIGKILL')
  await bot.ended
  alert.act({ kind: 'Comment', data: { userId: 7, message: 'meanwhile' } })
  await world.start(settings)
  await alice.sees('meanwhile', card, { limitMs: 60_000 })
  await alice.sees('⬆️ CRITICAL → ALERT', card)
  return {
    worse: card.thread.filter(({ plain }) => plain.includes('⬆️')).length,
    meanwhile: card.thread.filter(({ plain }) => plain.includes('meanwhile')).length,
  }
}

it('a bot that is killed (kill -9) while it tells a thread what happened: the next one tells it, and goes on', async () => {
  const [arrived, didNot] = await Promise.all([toldAfter(true), toldAfter(false)])

  // Nobody kept that it had arrived, so it stands there twice rather than never.
  expect(arrived).toEqual({ worse: 2, meanwhile: 1 })
  expect(didNot).toEqual({ worse: 1, meanwhile: 1 })
}, 300_000)
