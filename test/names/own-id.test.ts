// Links between people in Slack and users of the service: proposed by an address, chosen, proven by an Assign, each once.
import { describe, expect, it } from 'vitest'
import {
  chooseOwnId,
  correctOwnId,
  forgetOwnId,
  linkShown,
  ownIdKnown,
  proveOwnId,
  slackPersonOf,
  whoAmI,
} from '../../src/names/own-id.ts'
import { peopleOf } from '../../src/names/people.ts'
import { personKey } from '../../src/slack/ids.ts'
import { alice, aliceToken, bob, bobToken, minuteMs, openNames } from './names-world.ts'

const whoIsAlice = (room: Parameters<typeof whoAmI>[0]) => whoAmI(room, alice, aliceToken, 12)

describe('who somebody is at the service', () => {
  it('is the one who shows the address that they have in Slack, whatever its capitals, and stays known', async () => {
    const { room, addresses, another, asked } = await openNames()
    addresses.set(alice.userId, 'Alice@Example.com')

    expect(await ownIdKnown(room, alice)).toBeUndefined()
    const known = { kind: 'known', userId: 7, name: 'Alice Archer', isProven: true }
    expect(await whoIsAlice(room)).toEqual(known)
    expect(asked()).toEqual(['/container/12/users', '/container/id'])

    expect(await whoIsAlice(room)).toEqual(known)
    expect(asked()).toEqual([])
    expect(await ownIdKnown(await another(), alice)).toEqual({ userId: 7, isProven: true })
    expect(await slackPersonOf(room, 'T1', 7)).toEqual(alice)
    expect(await slackPersonOf(room, 'T2', 7)).toBeUndefined()
  })

  it.each([
    ['nobody shows it', { addresses: 'none' }, []],
    ['two show it', {}, [{ id: 71, name: 'Alice A.', email: 'ALICE@example.com' }]],
  ] as const)('is for them to choose where %s', async (_, ways, more) => {
    const { room, service } = await openNames()
    service.behaves(ways)
    for (const one of more) service.addMember(12, one)

    const found = await whoIsAlice(room)
    expect(found).toMatchObject({
      kind: 'choose',
      people: expect.arrayContaining([expect.objectContaining({ id: 7 })]),
    })
    expect(await ownIdKnown(room, alice)).toBeUndefined()
  })

  it('is not found by an address that only looks the same', async () => {
    const { room, service, addresses } = await openNames()
    addresses.set(alice.userId, 'kim@example.com')
    // The sign of Kelvin, whose small letter is k.
    service.addMember(12, { id: 70, name: 'Mallory', email: '\u212Aim@example.com' })
    expect((await whoIsAlice(room)).kind).toBe('choose')
  })

  it('is for them to choose where Slack shows no address', async () => {
    const { room, addresses } = await openNames()
    addresses.delete(alice.userId)
    expect((await whoIsAlice(room)).kind).toBe('choose')
  })

  it('is nobody with a container’s token, also for whoever was somebody with their own', async () => {
    const { room, service, tokens, asked } = await openNames()
    await whoIsAlice(room)
    service.addToken({
      token: 'container-token',
      name: 'container 12',
      flags: ['API', 'READ'],
      containerId: 12,
    })
    tokens.set(personKey(alice), 'container-token')
    asked()

    expect(await whoAmI(room, alice, 'container-token', 12)).toEqual({ kind: 'container-token' })
    expect(asked()).toEqual(['/container/id'])
    expect(await whoAmI(room, alice, 'container-token', 12)).toEqual({ kind: 'container-token' })
    expect(asked()).toEqual([])
    tokens.set(personKey(bob), 'container-token')
    expect(await whoAmI(room, bob, 'container-token', 12)).toEqual({ kind: 'container-token' })
  })

  it('is nobody with a container’s token that may not read its people either', async () => {
    const { room, service, tokens } = await openNames()
    service.addToken({ token: 'container-token', name: 'container 12', flags: ['API'], containerId: 12 })
    tokens.set(personKey(alice), 'container-token')
    expect(await whoAmI(room, alice, 'container-token', 12)).toEqual({ kind: 'container-token' })
  })

  it('is a person where the question whose token it is gets 401, as a person’s token may', async () => {
    const { room, service, asked } = await openNames()
    service.trouble.answer(401, { only: { path: /\/container\/id$/ } })
    expect(await whoIsAlice(room)).toMatchObject({ kind: 'known', userId: 7 })
    asked()
    await whoIsAlice(room)
    expect(asked()).toEqual([])
  })

  it('can’t be told where the people can’t be read: forbidden, no such operation, no container', async () => {
    const { room, service, another, clock } = await openNames()
    expect(await whoAmI(room, alice, aliceToken, 999)).toEqual({ kind: 'unknown' })
    for (const status of [403, 405]) {
      service.trouble.answer(status, { only: { path: /users$/ } })
      expect([status, await whoIsAlice(room)]).toEqual([status, { kind: 'unknown' }])
      service.trouble.clear()
    }
    expect(await whoIsAlice(await another({ operations: 'basic' }))).toEqual({ kind: 'unknown' })
    clock.advance(60 * minuteMs)
    expect(await whoIsAlice(room)).toMatchObject({ kind: 'known', userId: 7 })
  })

  it('is not asked of them where the service gives no answer: another try may tell', async () => {
    const { room, service } = await openNames()
    service.trouble.answer(500, { only: { path: /users$/ } })
    expect(await whoIsAlice(room)).toMatchObject({ kind: 'unanswered', error: { code: 'busy' } })
    service.trouble.clear()
    expect(await whoIsAlice(room)).toMatchObject({ kind: 'known', userId: 7 })
  })

  it('is asked of nobody else once their token is refused', async () => {
    const { room, service, asked } = await openNames()
    service.revoke(aliceToken)
    await expect(whoIsAlice(room)).rejects.toMatchObject({ code: 'refused' })
    expect(asked()).toEqual(['/container/12/users'])
  })
})

describe('a choice', () => {
  it('only fills in forms: nobody is taken for that user, and it has the name that their token shows', async () => {
    const { room } = await openNames()
    expect(await chooseOwnId(room, alice, 9)).toBe('linked')
    await peopleOf(room, alice, aliceToken, 12)
    expect(await whoIsAlice(room)).toEqual({ kind: 'known', userId: 9, name: 'Dave Doe', isProven: false })
    expect(await slackPersonOf(room, 'T1', 9)).toBeUndefined()
  })

  it('of a user whom somebody else has proven to be is refused, and changes nothing', async () => {
    const { room } = await openNames()
    await proveOwnId(room, alice, 9)
    await chooseOwnId(room, bob, 8)
    expect(await chooseOwnId(room, bob, 9)).toBe('taken')
    expect(await correctOwnId(room, bob, 9)).toBe('taken')
    expect(await ownIdKnown(room, bob)).toEqual({ userId: 8, isProven: false })
    expect(await chooseOwnId(room, { ...bob, workspaceId: 'T2' }, 9)).toBe('linked')
  })

  it('keeps nobody from being that user: whoever proves it overrules those who only said so', async () => {
    const { room, addresses } = await openNames()
    await peopleOf(room, bob, bobToken, 12)
    expect(await chooseOwnId(room, bob, 7)).toBe('linked')
    expect(await linkShown(room, bob)).toEqual({ userId: 7, name: 'Alice Archer', standing: 'said' })
    addresses.delete(alice.userId)
    expect(await chooseOwnId(room, alice, 7)).toBe('linked')
    expect(await proveOwnId(room, alice, 7)).toBe('linked')

    expect(await ownIdKnown(room, bob)).toBeUndefined()
    expect(await linkShown(room, bob)).toEqual({ userId: 7, name: 'Alice Archer', standing: 'overruled' })
    expect(await whoAmI(room, bob, bobToken, 12)).toMatchObject({ kind: 'known', userId: 8, isProven: true })
    expect(await linkShown(room, bob)).toMatchObject({ userId: 8, standing: 'proven' })
  })

  it('takes the place of what they have proven where they correct it, and is forgotten when they say so', async () => {
    const { room } = await openNames()
    await proveOwnId(room, alice, 7)
    expect(await correctOwnId(room, alice, 9)).toBe('linked')
    expect(await ownIdKnown(room, alice)).toEqual({ userId: 9, isProven: false })
    await forgetOwnId(room, alice)
    expect(await linkShown(room, alice)).toBeUndefined()
  })

  it('is corrected by an Assign of theirs, and gives way to whoever it is', async () => {
    const { room } = await openNames()
    await chooseOwnId(room, alice, 9)
    expect(await proveOwnId(room, alice, 7)).toBe('corrected')
    expect(await ownIdKnown(room, alice)).toEqual({ userId: 7, isProven: true })

    await chooseOwnId(room, bob, 9)
    const dave = { workspaceId: 'T1', userId: 'U3' }
    expect(await proveOwnId(room, dave, 9)).toBe('linked')
    expect(await slackPersonOf(room, 'T1', 9)).toEqual(dave)
    expect(await ownIdKnown(room, bob)).toBeUndefined()
  })

  it('doesn’t replace what they have proven', async () => {
    const { room } = await openNames()
    await proveOwnId(room, alice, 7)
    await chooseOwnId(room, alice, 9)
    expect(await ownIdKnown(room, alice)).toEqual({ userId: 7, isProven: true })
  })
})

describe('a proof', () => {
  it('of what somebody else has proven is refused, and put on record', async () => {
    const { room, collisions } = await openNames()
    expect(await proveOwnId(room, bob, 7)).toBe('linked')
    expect(collisions).toEqual([])
    expect(await proveOwnId(room, alice, 7)).toBe('taken')
    expect(collisions).toEqual([[alice, bob, 7]])
    expect((await whoAmI(room, alice, aliceToken, 12)).kind).toBe('choose')
    expect(await slackPersonOf(room, 'T1', 7)).toEqual(bob)
  })
})

describe('people of a container for a form', () => {
  it('are read once in ten minutes, for each person with their own token', async () => {
    const { room, clock, asked } = await openNames()
    const first = await peopleOf(room, alice, aliceToken, 12)
    expect(first).toMatchObject({ kind: 'listed', people: { length: 3 } })
    expect(await peopleOf(room, alice, aliceToken, 12)).toEqual(first)
    expect(asked()).toHaveLength(1)
    await peopleOf(room, bob, bobToken, 12)
    expect(asked()).toHaveLength(1)
    clock.advance(10 * minuteMs)
    await Promise.all([1, 2].map(() => peopleOf(room, alice, aliceToken, 12)))
    expect(asked()).toHaveLength(1)
  })

  it('say why there are none, and are asked for again: a form can’t do without', async () => {
    const { room, service, asked } = await openNames()
    service.trouble.answer(403, { times: 1 })
    await expect(peopleOf(room, alice, aliceToken, 12)).rejects.toMatchObject({ code: 'forbidden' })
    expect(await peopleOf(room, alice, aliceToken, 12)).toMatchObject({ kind: 'listed' })
    expect(await peopleOf(room, alice, aliceToken, 999)).toEqual({ kind: 'no-container' })
    expect(asked()).toHaveLength(3)
  })
})
