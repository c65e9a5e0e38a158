// Attempts to break commenting and closing by line: texts, tokens, links, and what is said when something is missing.
import { describe, expect, it } from 'vitest'
import { openStorage } from '../../src/storage/storage.ts'
import { aliceToken, openWorld, type World } from '../world.ts'

const diskFull = { ks: '5HkX', message: 'Disk /var is 91 % full', severity: 2, containerId: 12 } as const

function writesTo({ service }: World) {
  return service.requests.filter(({ method }) => method === 'PUT')
}

describe('the text of a comment', () => {
  it.each([
    ['keeps quotes inside it', '"He said "no" to it"', 'He said "no" to it'],
    ['keeps commas behind quotes', '"disk", then "net"', '"disk", then "net"'],
    ['keeps its curly quotes', '“It says “full” there”', 'It says “full” there'],
    ['keeps several spaces', '"a  b"', 'a  b'],
    ['keeps its emoji', '👩‍🚒 done :fire:', '👩‍🚒 done :fire:'],
    ['has 240 letters of two units each', '𝒳'.repeat(240), '𝒳'.repeat(240)],
    ['keeps signs of markup', '*a* `b` <c> & d', '*a* `b` <c> & d'],
    ['may be the word private', 'private', 'private'],
  ])('%s', async (_, typed, sent) => {
    const world = await openWorld()
    world.service.addAlert(diskFull)
    await world.alice.types(`/alert comment 5HkX ${typed}`, world.general)
    await world.alice.sees('Commented', world.general)
    expect(world.service.alert('5HkX')?.actions.at(-1)?.data?.message).toBe(sent)
  })

  it('that closes an alert keeps a last word “solution”', async () => {
    const world = await openWorld()
    world.service.addAlert(diskFull)
    const text = 'restarting the service twice and clearing the cache afterwards was the solution'
    await world.alice.types(`/alert close 5HkX ${text}`, world.general)
    await world.alice.sees('in quotes', world.general)
    expect(writesTo(world)).toEqual([])
    await world.alice.types(`/alert close 5HkX "${text}"`, world.general)
    await world.alice.sees('Closed', world.general)
    expect(world.service.alert('5HkX')?.actions.at(-1)?.data?.message).toBe(text)
  })
})

describe('a token in a comment', () => {
  it('is neither stored nor sent once it turns out to be the author’s', async () => {
    const world = await openWorld({ isAliceConnected: false })
    const { alice, general, service } = world
    service.addAlert(diskFull)
    await alice.types(`/alert comment 5HkX "mine is ${aliceToken}"`, general)
    const prompt = await alice.sees('To do this for you', general)
    expect(world.databaseBytes().includes(aliceToken)).toBe(false)
    await alice.presses('Connect account', prompt)
    await alice.seesModal('Connect account')
    await alice.submits({ fields: { 'API token': aliceToken } })
    await alice.sees('looks like an API token', general)
    expect(writesTo(world)).toEqual([])
    expect(world.databaseBytes().includes(aliceToken)).toBe(false)
  })

  it('among other words is refused before anything is stored', async () => {
    const world = await openWorld({ isAliceConnected: false })
    const { alice, general } = world
    await alice.types('/alert comment 5HkX "it is 0123456789abcdef0123456789abcdef ok"', general)
    await alice.sees('looks like an API token', general)
    expect(world.databaseBytes().includes('0123456789abcdef0123456789abcdef')).toBe(false)
  })
})

describe('a change to an alert that a database failure interrupts', () => {
  it('is not told as a look-up', async () => {
    const world = await openWorld({
      open: async (options) => {
        const storage = await openStorage(options)
        const keep = () => Promise.reject(new Error('the database is gone'))
        return { ...storage, wishes: { ...storage.wishes, keep } }
      },
    })
    world.service.addAlert(diskFull)
    await world.alice.types('/alert comment 5HkX "hello"', world.general)
    const told = await world.alice.sees('Reference', world.general)
    expect(told.plain).not.toContain('looked up')
    expect(writesTo(world)).toEqual([])
  })
})

describe('texts that a line can’t carry', () => {
  it('are not sent in part: two quoted texts before “solution” are asked for again', async () => {
    const world = await openWorld()
    world.service.addAlert(diskFull)
    await world.alice.types('/alert close 5HkX "a" and "b" solution', world.general)
    await world.alice.sees('in quotes', world.general)
    expect(writesTo(world)).toEqual([])
  })
})
