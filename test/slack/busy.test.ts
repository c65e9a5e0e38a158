// As much is under way as one process takes: whoever comes then is told at once, and nothing of it is begun.
import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { alertUrl, openWorld, type World } from '../world.ts'

const busy = 'Bellhop is busy.'

/** The service does not answer yet, so that a look-up stays under way. Resolves to what lets it end. */
async function occupy({ alice, general, service }: World, times: number): Promise<() => void> {
  const before = service.requests.length
  service.trouble.slow(1_500)
  for (let count = 0; count < times; count += 1) await alice.types(`/alert wait${count}`, general)
  await expect.poll(() => service.requests.length).toBe(before + times)
  return () => service.trouble.slow(0)
}

describe('a Bellhop that is busy', () => {
  it('says so in the ack of a command, and begins nothing', async () => {
    const world = await openWorld({ mostWork: 2 })
    const { alice, bob, general, service, slack } = world
    const release = await occupy(world, 2)
    const [calls, requests] = [slack.calls.length, service.requests.length]

    const { outcome } = await alice.types('/alert 5HkX', general)
    await alice.types('/grant 12 dave@example.com viewer', general)

    expect(outcome).toBe('acked')
    await alice.sees(`${busy} Nothing was done. Try again in a moment.`, general)
    await alice.sees(`${busy} Nothing was sent. Try again in a moment.`, general)
    expect(bob.messages(general).filter(({ plain }) => plain.includes(busy))).toEqual([])
    expect(slack.calls).toHaveLength(calls)
    expect(service.requests).toHaveLength(requests)
    release()
    await slack.idle(100)
  })

  it('takes requests again as soon as something is done', async () => {
    const world = await openWorld({ mostWork: 1 })
    const { alice, general, service } = world
    service.addAlert({ ks: '5HkX', message: 'Disk full' })
    const release = await occupy(world, 1)
    await alice.types('/alert 5HkX', general)
    await alice.sees(busy, general)
    release()
    await alice.sees('There’s no alert', general)
    await alice.types('/alert 5HkX', general)
    await alice.sees('Disk full', general)
  })

  it('tells whoever presses, in place, and keeps a form with what is typed in it', async () => {
    const world = await openWorld({ mostWork: 1 })
    const { alice, general, service, slack } = world
    service.addAlert({ ks: '5HkX', message: 'Disk full' })
    await alice.types('/alert 5HkX', general)
    const card = await alice.sees('Disk full', general)
    await slack.idle(50)
    await alice.types('/alert', general)
    await alice.seesModal('Look up an alert')
    await slack.idle(50)
    const release = await occupy(world, 1)

    await alice.submits({ fields: { 'Alert key': '5HkX', 'Post to': general } })
    expect(alice.modal?.errors['Alert key']).toContain(busy)
    await alice.presses('Refresh', card)
    await alice.sees(`${busy} Nothing was done.`, general)
    release()
    await slack.idle(100)
  })

  it('still lets people take back what they can', async () => {
    const world = await openWorld({ mostWork: 1 })
    const { alice, general, slack } = world
    await alice.types('/grant 12 dave@example.com CONTAINER_ADMIN', general)
    const confirmation = await alice.sees('Cancel', general)
    await slack.idle(50)
    const release = await occupy(world, 1)
    await alice.presses('Cancel', confirmation)
    await alice.sees('Cancelled. Nothing was sent.', general)
    release()
    await slack.idle(100)
  })

  it('still says what changes nothing: help, and the form', async () => {
    const world = await openWorld({ mostWork: 1 })
    const { alice, bob, general, slack } = world
    const release = await occupy(world, 1)
    await bob.types('/alert help', general)
    await bob.sees('/alert watches', general)
    bob.says('@Bellhop grant help', general)
    await bob.sees('/grant roles', general)
    await alice.types('/grant', general)
    await alice.seesModal('Grant access')
    release()
    await slack.idle(100)
  })

  it('does not count what only waits because Slack asked it to', async () => {
    const slackAsked = Promise.withResolvers<void>()
    const world = await openWorld({
      mostWork: 2,
      wait: (ms) => (ms === 30_000 ? slackAsked.promise : delay(Math.min(ms, 10))),
    })
    world.expectRefusals()
    const { alice, ops, general, service, slack, waits } = world
    for (const ks of ['5HkX', 'a', 'b', 'c']) service.addAlert({ ks, message: `Disk of ${ks} full` })
    slack.trouble.rateLimit('chat.postMessage', { retryAfterSeconds: 30, times: 3 })
    for (const ks of ['a', 'b', 'c']) await alice.types(`/alert ${ks}`, general)
    await expect.poll(() => waits.filter((ms) => ms === 30_000).length).toBe(3)

    await alice.types('/alert 5HkX', ops)

    await alice.sees('Disk of 5HkX full', ops)
    slackAsked.resolve()
    await alice.sees('Disk of c full', general)
  })

  it('tells whoever mentions it', async () => {
    const world = await openWorld({ mostWork: 1 })
    const { alice, general, slack } = world
    const release = await occupy(world, 1)
    alice.says('@Bellhop alert 5HkX', general)
    await alice.sees(busy, general)
    release()
    await slack.idle(100)
  })

  it('does not count a mention as what keeps it busy itself, nor a link', async () => {
    const { alice, general, service, slack } = await openWorld({ mostWork: 1 })
    service.addAlert({ ks: '5HkX', message: 'Disk full' })
    alice.says('@Bellhop alert 5HkX', general)
    await alice.sees('Disk full', general)
    await slack.idle(100)
    const before = service.requests.length
    alice.says(alertUrl.replace('{ks}', 'other'), general)
    await expect.poll(() => service.requests.length, { timeout: 30_000 }).toBe(before + 1)
    await slack.idle(100)
  })
})
