// Names for an alert: nothing is asked before its card is there, little after it, and nobody sees what another’s token showed.
import { describe, expect, it } from 'vitest'
import { noNames } from '../../src/names/names.ts'
import { learnNames, namesKnown } from '../../src/names/naming.ts'
import { alice, aliceToken, bob, bobToken, minuteMs, ofCustomer, openNames, uses } from './names-world.ts'

const onCard = { shown: 12 }
const assigned = { kind: 'Assign', data: { userId: 8, ownerId: 9 } }
const bobAndDave = ofCustomer({ 8: 'Bob Baker', 9: 'Dave Doe' })

async function open(options = {}) {
  const world = await openNames(options)
  world.service.addAlert({ ks: '5HkX', containerId: 12, ownerId: 9, actions: [assigned] })
  return { ...world, disk: await world.alert('5HkX') }
}

describe('names for an alert', () => {
  it('are not known at first, then learned with two reads, and known from then on without any', async () => {
    const { house, disk, asked } = await open()

    expect(namesKnown(house, alice, disk, onCard)).toEqual({
      people: {},
      container: { id: 12, name: undefined },
    })
    expect(asked()).toEqual([])
    const learned = await learnNames(house, alice, aliceToken, disk, onCard)
    expect(learned).toEqual(bobAndDave)
    expect(asked().toSorted()).toEqual(['/container/12', '/container/12/users'])

    expect(namesKnown(house, alice, disk, undefined)).toEqual(bobAndDave)
    const again = await learnNames(house, alice, aliceToken, disk, onCard)
    expect(again).toEqual(bobAndDave)
    expect(asked()).toEqual([])
  })

  it('that Alice’s token showed are nothing to Bob, who learns them with his own', async () => {
    const { house, disk, asked } = await open()
    await learnNames(house, alice, aliceToken, disk, onCard)
    asked()

    expect(namesKnown(house, bob, disk, undefined)).toEqual(noNames)
    expect(await learnNames(house, bob, bobToken, disk, onCard)).toEqual(bobAndDave)
    expect(asked()).toHaveLength(2)
  })

  it('that another token of hers showed are gone', async () => {
    const { house, disk, service } = await open()
    await learnNames(house, alice, aliceToken, disk, onCard)
    service.addToken({ token: 'a-lesser-token', name: 'alice', flags: { 34: ['API', 'READ'] }, userId: 7 })
    await uses(house, alice, 'a-lesser-token')

    expect(namesKnown(house, alice, disk, onCard).people).toEqual({})
    expect((await learnNames(house, alice, 'a-lesser-token', disk, onCard)).people).toEqual({})
  })

  it('that come when she has disconnected meanwhile are not kept', async () => {
    const { house, disk, service } = await open()
    const letGo = service.trouble.hold()
    const learning = learnNames(house, alice, aliceToken, disk, onCard)
    await expect.poll(() => service.requests.length).toBeGreaterThan(2)
    await house.tokens.forget(alice)
    letGo()
    await learning

    await uses(house, alice, aliceToken)
    expect(namesKnown(house, alice, disk, onCard).people).toEqual({})
  })

  it('are asked for by one of those who want them at the same moment, and all get them', async () => {
    const { house, disk, asked } = await open()
    const learned = await Promise.all([1, 2, 3].map(() => learnNames(house, alice, aliceToken, disk, onCard)))
    expect(learned).toEqual(Array(3).fill(bobAndDave))
    expect(asked()).toHaveLength(2)
  })
})

describe('reads of names', () => {
  it.each([
    ['refused (401)', 401],
    ['forbidden (403)', 403],
    ['too many (429)', 429],
    ['no fit answer (500)', 500],
    ['nothing of theirs (404)', 404],
  ])('that end with %s leave numbers, and are tried again after ten minutes', async (_, status) => {
    const { house, service, disk, clock, asked } = await open()
    service.trouble.answer(status)

    expect((await learnNames(house, alice, aliceToken, disk, onCard)).people).toEqual({})
    asked()
    service.trouble.clear()
    await learnNames(house, alice, aliceToken, disk, onCard)
    expect(asked()).toEqual([])

    clock.advance(10 * minuteMs)
    expect(await learnNames(house, alice, aliceToken, disk, onCard)).toEqual(bobAndDave)
  })

  it('are done again after a day, as people marry and customers merge', async () => {
    const { house, service, disk, clock } = await open()
    await learnNames(house, alice, aliceToken, disk, onCard)
    service.addUser({ id: 9, name: 'Dave Dow', email: 'dave@example.com' })
    service.addContainer(12, { name: 'Customers 1 & 2', users: ['bob@example.com', 'dave@example.com'] })

    clock.advance(23 * 60 * minuteMs)
    expect(await learnNames(house, alice, aliceToken, disk, onCard)).toEqual(bobAndDave)
    clock.advance(60 * minuteMs)
    expect(await learnNames(house, alice, aliceToken, disk, onCard)).toEqual({
      people: { 8: 'Bob Baker', 9: 'Dave Dow' },
      container: { id: 12, name: 'Customers 1 & 2' },
    })
  })

  it('are none with MONITOR_OPERATIONS=basic, which shows no names of before either', async () => {
    const { house, disk, another, asked } = await open()
    await learnNames(house, alice, aliceToken, disk, onCard)
    asked()

    const basic = await another({ operations: 'basic' })
    expect(namesKnown(basic, alice, disk, onCard)).toEqual(noNames)
    expect(await learnNames(basic, alice, aliceToken, disk, onCard)).toEqual(noNames)
    expect(asked()).toEqual([])
  })
})

describe('the container of an alert', () => {
  it('is found among the open alerts of those they used last, and then known', async () => {
    const { house, disk, asked } = await open({ otherContainers: [34, 12, 56] })
    expect(await learnNames(house, alice, aliceToken, disk, undefined)).toEqual(bobAndDave)
    expect(asked()).toEqual([
      '/container/34/alerts',
      '/container/12/alerts',
      ...['/container/12', '/container/12/users'].toSorted((a, b) => b.length - a.length),
    ])
    await learnNames(house, alice, aliceToken, disk, undefined)
    expect(asked()).toEqual([])
  })

  it('is looked for in five at most, and not again in the same within ten minutes', async () => {
    const { house, disk, service, clock, asked } = await open({ otherContainers: [1, 2, 3, 4, 5, 12] })
    for (const id of [1, 2, 3, 4, 5]) service.addContainer(id)
    expect(await learnNames(house, alice, aliceToken, disk, undefined)).toEqual(noNames)
    expect(asked()).toEqual([1, 2, 3, 4, 5].map((id) => `/container/${id}/alerts`))
    await learnNames(house, alice, aliceToken, disk, undefined)
    expect(asked()).toEqual([])
    clock.advance(10 * minuteMs)
    await learnNames(house, alice, aliceToken, disk, undefined)
    expect(asked()).toHaveLength(5)
  })
})
