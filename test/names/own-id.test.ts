// Who somebody in Slack is at the service: matched by an address that both show, or chosen.
import { describe, expect, it } from 'vitest'
import type { House } from '../../src/house.ts'
import { peopleOf } from '../../src/names/names.ts'
import { whoIs } from '../../src/names/own-id.ts'
import { alice, aliceToken, bob, bobToken, minuteMs, openNames } from './names-world.ts'

const whoIsAlice = (house: House) =>
  whoIs(house, { owner: alice, token: aliceToken }, async () => 12)

describe('who somebody is at the service', () => {
  it('is the one who shows the address that they have in Slack, whatever its capitals, and stays known', async () => {
    const { house, addresses, asked, another } = await openNames()
    addresses.set(alice.userId, 'Alice@Example.COM')
    expect(await whoIsAlice(house)).toEqual({ kind: 'known', userId: 7 })
    expect(await (await another()).storage.ownIds.find(alice)).toEqual({
      userId: 7,
      isMatched: true,
    })
    asked()

    addresses.delete(alice.userId)
    expect(await whoIsAlice(house)).toEqual({ kind: 'known', userId: 7 })
    expect(asked()).toEqual([])
  })

  it.each([
    ['Slack shows no address', undefined],
    ['nobody shows it', 'carol@example.com'],
    ['only one that looks the same is shown', 'аlice@example.com'],
  ])('is for them to choose where %s', async (_, address) => {
    const { house, addresses } = await openNames()
    if (address === undefined) addresses.delete(alice.userId)
    else addresses.set(alice.userId, address)
    expect(await whoIsAlice(house)).toMatchObject({ kind: 'choose' })
  })

  it('is for them to choose where several show the address', async () => {
    const { house, service } = await openNames()
    service.addMember(12, { id: 20, name: 'Alice', email: 'ALICE@example.com' })
    expect(await whoIsAlice(house)).toMatchObject({ kind: 'choose' })
  })

  it('can’t be told where the people can’t be read', async () => {
    const { house, service } = await openNames()
    service.trouble.answer(403)
    expect(await whoIsAlice(house)).toEqual({ kind: 'choose', people: [] })
    service.trouble.answer(405)
    expect(await whoIsAlice(house)).toEqual({ kind: 'choose', people: [] })
  })

  it('is not asked of them where the service gives no answer, or refuses their token', async () => {
    const { house, service } = await openNames()
    service.trouble.answer(503)
    await expect(whoIsAlice(house)).rejects.toMatchObject({ code: 'busy' })
    service.trouble.clear()
    service.trouble.answer(401)
    await expect(whoIsAlice(house)).rejects.toMatchObject({ code: 'refused' })
  })
})

describe('people of a container for a form', () => {
  it('are read once in ten minutes, for each person with their own token', async () => {
    const { house, asked, clock } = await openNames()
    for (let times = 0; times < 2; times += 1) {
      expect(await peopleOf(house, { owner: alice, token: aliceToken }, 12)).toMatchObject({
        kind: 'listed',
      })
      expect(await peopleOf(house, { owner: bob, token: bobToken }, 12)).toMatchObject({
        kind: 'listed',
      })
    }
    expect(asked()).toHaveLength(2)
    clock.advance(11 * minuteMs)
    await peopleOf(house, { owner: alice, token: aliceToken }, 12)
    expect(asked()).toHaveLength(1)
  })
})
