// Names for an alert: nothing is asked before its card is there, little after it, and nobody sees what another’s token showed.
import { describe, expect, it } from 'vitest'
import { learnNames, namesKnown } from '../../src/names/containers.ts'
import { noNames } from '../../src/names/names.ts'
import { alice, aliceToken, minuteMs, ofCustomer, openNames, uses } from './names-world.ts'

const onCard = { names: { people: {}, container: { id: 12, name: undefined } } }
const assigned = { kind: 'Assign', data: { userId: 8, ownerId: 9 } }
const bobAndDave = ofCustomer({ 8: 'Bob Baker', 9: 'Dave Doe' })

async function open(options = {}) {
  const world = await openNames(options)
  world.service.addAlert({ ks: '5HkX', containerId: 12, ownerId: 9, actions: [assigned] })
  return { ...world, disk: await world.alert('5HkX') }
}

describe('names for an alert', () => {
  it('that come when she has disconnected meanwhile are not kept', async () => {
    const { house, disk, service } = await open()
    const letGo = service.trouble.hold()
    const learning = learnNames(house, { owner: alice, token: aliceToken }, disk, onCard)
    await expect.poll(() => service.requests.length).toBeGreaterThan(2)
    await house.tokens.forget(alice)
    letGo()
    await learning

    await uses(house, alice, aliceToken)
    expect(namesKnown(house, alice, disk, onCard).people).toEqual({})
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

    expect(
      (await learnNames(house, { owner: alice, token: aliceToken }, disk, onCard)).people,
    ).toEqual({})
    asked()
    service.trouble.clear()
    await learnNames(house, { owner: alice, token: aliceToken }, disk, onCard)
    expect(asked()).toEqual([])

    clock.advance(11 * minuteMs)
    expect(await learnNames(house, { owner: alice, token: aliceToken }, disk, onCard)).toEqual(
      bobAndDave,
    )
  })

  it('are done again after a day, as people marry and customers merge', async () => {
    const { house, service, disk, clock } = await open()
    await learnNames(house, { owner: alice, token: aliceToken }, disk, onCard)
    service.addUser({ id: 9, name: 'Dave Dow', email: 'dave@example.com' })
    service.addContainer(12, {
      name: 'Customers 1 & 2',
      users: ['bob@example.com', 'dave@example.com'],
    })

    clock.advance(23 * 60 * minuteMs)
    expect(await learnNames(house, { owner: alice, token: aliceToken }, disk, onCard)).toEqual(
      bobAndDave,
    )
    clock.advance(61 * minuteMs)
    expect(await learnNames(house, { owner: alice, token: aliceToken }, disk, onCard)).toEqual({
      people: { 8: 'Bob Baker', 9: 'Dave Dow' },
      container: { id: 12, name: 'Customers 1 & 2' },
    })
  })
})

describe('the container of an alert', () => {
  it('is looked for in five at most, and not again in the same within ten minutes', async () => {
    const { house, disk, service, clock, asked } = await open({
      otherContainers: [1, 2, 3, 4, 5, 12],
    })
    for (const id of [1, 2, 3, 4, 5]) service.addContainer(id)
    expect(await learnNames(house, { owner: alice, token: aliceToken }, disk, {})).toEqual(noNames)
    expect(asked()).toEqual([1, 2, 3, 4, 5].map((id) => `/container/${id}/alerts`))
    await learnNames(house, { owner: alice, token: aliceToken }, disk, {})
    expect(asked()).toEqual([])
    clock.advance(11 * minuteMs)
    await learnNames(house, { owner: alice, token: aliceToken }, disk, {})
    expect(asked()).toHaveLength(5)
  })
})
