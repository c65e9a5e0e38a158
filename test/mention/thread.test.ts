// In an alert's own thread its key can be left out, and a grant is for its container.
import { describe, expect, it } from 'vitest'
import { linkedCard, onCall } from '../act/on-card.ts'
import { openWorld, puts } from '../world.ts'

/** A card that Alice looked up by its link, so that her token tells the container. */
async function carded() {
  const world = await onCall()
  world.service.addAlert({ ks: 'db-slow', message: 'Database slow', containerId: 12 })
  return { ...world, card: await linkedCard(world, world.alice) }
}

describe('in the thread of an alert', () => {
  it.each([
    ['close "Restarted."', '/alert/5HkX/close', { message: 'Restarted.' }],
    ['comment "On it."', '/alert/5HkX/message', { message: 'On it.' }],
    ['comment looks better now', '/alert/5HkX/message', { message: 'looks better now' }],
    ['take', '/alert/5HkX/assign', { userId: 7 }],
    ['assign @bob "Yours"', '/alert/5HkX/assign', { userId: 8, message: 'Yours' }],
    ['close db-slow', '/alert/db-slow/close', {}],
    ['comment db-slow "Not here."', '/alert/db-slow/message', { message: 'Not here.' }],
  ])('%s', async (words, path, body) => {
    const world = await carded()

    world.alice.says(`@Bellhop ${words}`, world.card)

    await expect.poll(() => puts(world)).toMatchObject([{ path, body }])
  })

  it.each([
    ['assign <!subteam^S0SRE>', '“@group”. Name one person'],
    ['<#C0OPS>', 'I didn’t understand that'],
    ['grant <!subteam^S0SRE> viewer', '“@group” isn’t a flag'],
  ])('%s names nobody, and no id is shown', async (words, answer) => {
    const world = await carded()
    world.alice.says(`<@${world.slack.bot.userId}> ${words}`, world.card, { raw: true })
    expect((await world.alice.sees(answer, world.card)).plain).not.toMatch(/[SC]0(?:SRE|OPS)/)
  })

  it('its card shows what was done', async () => {
    const { alice, bob, general, card } = await carded()
    alice.says('@Bellhop close "Restarted."', card)
    await bob.sees('Closed by Alice Archer', general)
    await alice.sees('Alice Archer closed it', card)
  })

  it('watch keeps its card live', async () => {
    const { alice, general, card } = await carded()
    alice.says('@Bellhop watch', card)
    await alice.sees('looks every', general)
  })

  it('a grant is for its container', async () => {
    const { alice, service, card } = await carded()
    service.addUser({ email: 'grace@example.com' })
    alice.says('@Bellhop grant grace@example.com viewer', card)
    await alice.sees('Granted', card)
    expect(service.membersOf(12).map(({ email }) => email)).toContain('grace@example.com')

    alice.says('@Bellhop grant who', card)
    await alice.sees('Grace · grace@example.com', card)
    alice.says('@Bellhop grant remove grace@example.com', card)
    await alice.sees('Remove Grace (grace@example.com) from', card)
  })

  it('a grant in other words is for its container as well', async () => {
    const { alice, service, card } = await carded()
    service.addUser({ email: 'grace@example.com' })
    alice.says('@Bellhop grant please give grace@example.com viewer until friday', card)
    const question = await alice.sees('Grant this access?', card)
    expect(question.plain).toContain('grace@example.com')

    await alice.presses('Grant access', question)
    await expect
      .poll(() => service.membersOf(12).map(({ email }) => email))
      .toContain('grace@example.com')
  })
})

it('two links are two alerts', async () => {
  const { alice, general, service } = await openWorld()
  service.addAlert({ ks: '5HkX', message: 'Disk full' })
  service.addAlert({ ks: 'raid', message: 'Array degraded' })
  const link = (ks: string) => `https://monitor.example.com/alert/${ks}`
  alice.says(`@Bellhop ${link('5HkX')}\n${link('raid')}`, general)
  await alice.sees(/Disk full[\s\S]*asked by alice/, general)
  await alice.sees(/Array degraded[\s\S]*asked by alice/, general)
})
