// Tokens that the asker or the recipient has given up do not approve for them either, as long as a request could name them.
import { describe, expect, it } from 'vitest'
import type { Person } from '../../playground/slack/person/person.ts'
import type { SeenMessage } from '../../playground/slack/person/seen.ts'
import { asked, type Colleagues, givesReason, line, openColleagues, posts } from './colleagues.ts'

const hour = 60 * 60_000
/** May grant. Its owner at the service is Bob, who has it in whichever Slack account he likes. */
const bobs = 'bobs-good-token-5ce1'
const sameAsAskers = 'You and the requester share the same token'
const sameAsRecipients = 'You and the recipient share the same token'

async function openTwoAccounts(env: Readonly<Record<string, string>> = {}): Promise<Colleagues> {
  const world = await openColleagues({ env })
  world.service.addToken({ token: bobs, name: 'bob', flags: ['API', 'READ', 'CONTAINER_ACCESS'] })
  return world
}

async function disconnects(world: Colleagues, person: Person): Promise<void> {
  await person.types('/alert disconnect', world.general)
  await person.sees('Disconnected', world.general)
}

/** Bob asks for a flag that always needs approval, which takes no account. */
async function askedWithoutAccount(world: Colleagues): Promise<SeenMessage> {
  const { alice, bob, general } = world
  await bob.types(line, general)
  await bob.presses('Ask for approval', await bob.sees('Not sent yet', general))
  await givesReason(bob)
  await bob.sees('Asked for approval in', general)
  return alice.sees('🔑', general)
}

async function expectRefused(world: Colleagues, card: SeenMessage, words: string): Promise<void> {
  const { carol, general } = world
  const before = posts(world).length
  await carol.presses('Approve', card)
  await carol.sees(words, general)
  expect(posts(world)).toHaveLength(before)
  expect(card.buttons).toContain('Approve')
}

describe('an approval is refused to a second account', () => {
  it('with the very token that the asker disconnected before they asked', async () => {
    const world = await openTwoAccounts({ APPROVAL_FLAGS: 'READ' })
    const { bob, carol } = world
    await world.connect(bob, bobs)
    await disconnects(world, bob)
    const card = await askedWithoutAccount(world)
    await world.connect(carol, bobs)
    await expectRefused(world, card, sameAsAskers)
  })

  it('with the token that the asker replaced by another one', async () => {
    const world = await openTwoAccounts()
    const { bob, carol, service } = world
    await world.connect(bob, bobs)
    service.addToken({ token: 'weak-token-91aa', name: 'bob', flags: ['API', 'READ'] })
    await world.connect(bob, 'weak-token-91aa')
    const card = await asked(world)
    await world.connect(carol, bobs)
    await expectRefused(world, card, sameAsAskers)
  })

  it('with a token that the asker connected and gave up after they asked', async () => {
    const world = await openTwoAccounts()
    const { bob, carol } = world
    const card = await asked(world)
    await world.connect(bob, bobs)
    await disconnects(world, bob)
    await world.connect(carol, bobs)
    await expectRefused(world, card, sameAsAskers)
  })

  it.each([
    ['disconnected before it was asked', 'before'],
    ['connected and gave up after it was asked', 'after'],
  ])('with a token that the recipient %s', async (_, when) => {
    const world = await openTwoAccounts()
    const { carol, dave } = world
    const hadIt = async () => {
      await world.connect(dave, bobs)
      await disconnects(world, dave)
    }
    if (when === 'before') await hadIt()
    const card = await asked(world)
    if (when === 'after') await hadIt()
    await world.connect(carol, bobs)
    await expectRefused(world, card, sameAsRecipients)
  })

  it('after a restart as well, and with the keys changed since', async () => {
    const world = await openTwoAccounts({ APPROVAL_FLAGS: 'READ' })
    const { bob, carol, env } = world
    await world.connect(bob, bobs)
    await disconnects(world, bob)
    const next = `k2:${Buffer.alloc(32, 7).toString('base64')},${env.ENCRYPTION_KEYS}`
    await world.restart({ ENCRYPTION_KEYS: next, APPROVAL_FLAGS: 'READ' })
    const card = await askedWithoutAccount(world)
    await world.connect(carol, bobs)
    await expectRefused(world, card, sameAsAskers)
  })
})

describe('a token that the asker gave up', () => {
  it.each([
    ['disconnected', (world: Colleagues) => disconnects(world, world.bob)],
    ['replaced', (world: Colleagues) => world.connect(world.bob, 'carol-token')],
  ])('is known without an older key, when it was %s after the newer one came', async (_, givesUp) => {
    const world = await openTwoAccounts({ APPROVAL_FLAGS: 'READ' })
    const { bob, carol, env } = world
    await world.connect(bob, bobs)
    const next = `k2:${Buffer.alloc(32, 7).toString('base64')}`
    await world.restart({ ENCRYPTION_KEYS: `${next},${env.ENCRYPTION_KEYS}`, APPROVAL_FLAGS: 'READ' })
    await givesUp(world)
    await world.forgetKey('k1', next)
    await world.restart({ ENCRYPTION_KEYS: next, APPROVAL_FLAGS: 'READ' })
    const card = await askedWithoutAccount(world)
    await world.connect(carol, bobs)
    await expectRefused(world, card, sameAsAskers)
  })

  it('bars the requests of the next day, until the last of them has ended', async () => {
    const world = await openTwoAccounts({ APPROVAL_FLAGS: 'READ' })
    const { bob, carol, clock } = world
    await world.connect(bob, bobs)
    await disconnects(world, bob)
    clock.advance(23 * hour)
    const card = await askedWithoutAccount(world)
    clock.advance(23 * hour)
    // Every start begins with the housekeeping of each hour.
    await world.restart({ APPROVAL_FLAGS: 'READ' })
    await world.connect(carol, bobs)
    await expectRefused(world, card, sameAsAskers)
  })

  it('may approve for somebody else', async () => {
    const world = await openTwoAccounts()
    const { alice, bob, carol, general } = world
    await world.connect(alice, bobs)
    await disconnects(world, alice)
    const card = await asked(world)
    await world.connect(carol, bobs)
    await carol.presses('Approve', card)
    await bob.sees('Granted by carol', bob.dm)
    expect(card.plain).not.toContain('🔑')
    expect(general.members.has(carol.id)).toBe(true)
  })

  it('cannot be compared while its key is gone, and then nobody approves; the key put back, it works', async () => {
    const world = await openTwoAccounts({ APPROVAL_FLAGS: 'READ' })
    const { bob, carol, env, general } = world
    await world.connect(bob, bobs)
    await disconnects(world, bob)
    const next = `k2:${Buffer.alloc(32, 7).toString('base64')}`
    await world.forgetKey('k1', next)
    await world.restart({ ENCRYPTION_KEYS: next, APPROVAL_FLAGS: 'READ' })
    const card = await askedWithoutAccount(world)
    await world.connect(carol, 'carol-token')
    await expectRefused(
      world,
      card,
      'can’t compare your token with one that the requester disconnected or replaced. The requester can ask again in 48 hours',
    )
    expect((await carol.sees('encryption keys have changed', general)).plain).toContain(
      'put the earlier key back',
    )

    await world.restart({ ENCRYPTION_KEYS: `${next},${env.ENCRYPTION_KEYS}`, APPROVAL_FLAGS: 'READ' })
    await carol.presses('Approve', card)
    await bob.sees('Granted by carol', bob.dm)
  })

  it('cannot be compared when it was replaced because its key is lost, and then nobody approves', async () => {
    const world = await openTwoAccounts({ APPROVAL_FLAGS: 'READ' })
    const { bob, carol, service } = world
    service.addToken({ token: 'next-token-20bd', name: 'bob', flags: ['API', 'READ'] })
    const next = `k2:${Buffer.alloc(32, 7).toString('base64')}`
    await world.forgetKey('k1', next)
    await world.restart({ ENCRYPTION_KEYS: next, APPROVAL_FLAGS: 'READ' })
    await world.connect(bob, 'next-token-20bd')
    const card = await askedWithoutAccount(world)
    await world.connect(carol, 'carol-token')
    await expectRefused(
      world,
      card,
      'can’t compare your token with one that the requester disconnected or replaced',
    )
  })
})
