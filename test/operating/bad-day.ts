// Figures of the real bot after a day on which a bit of everything went wrong: each label has been used once.
import { bobToken, openWorld } from '../world.ts'
import { type Figures, readFigures } from './figures.ts'

export async function figuresOfABadDay(): Promise<Figures> {
  const world = await openWorld()
  world.expectRefusals()
  const { alice, bob, general, service, slack, clock, url } = world
  const later = () => clock.advance(60_000)
  service.addAlert({ ks: '5HkX', message: 'Disk full' })
  await world.connect(bob, bobToken)
  await alice.types('/alert 5HkX watch', general)
  await alice.sees('Disk full', general)
  await alice.types('/grant 12 dave@example.com viewer', general)
  await alice.sees('Granted', general)
  service.trouble.answer(503, { times: 9 })
  await bob.types('/alert 5HkX', general)
  await bob.sees('busy', general)
  service.trouble.clear()
  service.trouble.cut({ when: 'before-answer', times: 1 })
  later()
  await bob.types('/alert 5HkX', general)
  await bob.sees('Disk full', general)
  slack.trouble.fail('chat.postMessage', { status: 500 })
  slack.trouble.cut('chat.postMessage')
  slack.trouble.rateLimit('chat.postMessage', { retryAfterSeconds: 1 })
  later()
  await bob.types('/alert 5HkX', general)
  await slack.idle(100)
  service.revoke(bobToken)
  later()
  await bob.types('/alert 5HkX', general)
  await bob.sees('no longer', general)
  await slack.idle(100)
  const text = await (await fetch(`${url}/metrics`)).text()
  return readFigures(text)
}
