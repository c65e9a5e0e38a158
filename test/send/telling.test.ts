// Outcomes that are told: a store that fails is not the asker's trouble, and one request's failure is not another's.
import { describe, expect, it } from 'vitest'
import type { House } from '../../src/house.ts'
import { sendWish } from '../../src/send/send.ts'
import { noteTold, sendAndTell } from '../../src/send/telling.ts'
import type { KeptWish, Wishes } from '../../src/send/wishes.ts'
import { keepLog } from '../keep-log.ts'
import { dave } from '../monitor/setup.ts'
import { followedUp, newWish, openSends, sender } from './send-house.ts'

const wish: KeptWish = {
  ...{ id: 'w', sender, askerId: sender.userId, channelId: 'C1', about: undefined },
  ...{ state: 'settled', askedAt: 1_700_000_000_000 },
  sends: [{ n: 1, write: { kind: 'add-user', containerId: 12, ...dave }, outcome: { kind: 'done' } }],
}

async function open(told: Wishes['told']) {
  const { log, lines } = keepLog('info')
  const waits: number[] = []
  const counted: string[] = []
  const sends = await openSends({ addUser: async () => ({ kind: 'done' }) })
  const { storage } = sends
  const house: House = {
    ...{ ...sends, log, storage: { ...storage, wishes: { ...storage.wishes, told } } },
    wait: async (ms) => void waits.push(ms),
    followUps: followedUp({ count: (_house, { id }) => void counted.push(id) }),
  }
  return { house, lines, waits, counted }
}

it('is said again to a store that fails for a moment, and nobody hears of it', async () => {
  let times = 0
  const { house, lines, waits, counted } = await open(async () => {
    times += 1
    if (times < 3) throw new Error('the database is locked')
    return true
  })
  await noteTold(house, wish)
  expect(counted).toEqual(['w'])
  expect(times).toBe(3)
  expect(waits).toHaveLength(2)
  expect(lines).toEqual([])
})

it('is logged when the store fails for good, and does not reject', async () => {
  const { house, lines, counted } = await open(() => Promise.reject(new Error('the database is away')))
  await noteTold(house, wish)
  expect(counted).toEqual([])
  expect(lines).toHaveLength(1)
  expect(lines[0]).toContain('reporting it once more')
})

describe('an outcome that its request cannot tell', () => {
  async function openSent() {
    const house = await openSends({ addUser: async () => ({ kind: 'done' }) })
    const asked = { containerId: 12, emails: ['dave@example.com'], member: false, permissions: [] }
    const wanted = { ...newWish('w', { ...asked, authProvider: undefined }), isToldElsewhere: false }
    await house.storage.wishes.keep(wanted)
    const send = () => sendWish(house, sender, 'token', 'w', { askedAfter: 0 })
    return { house, send }
  }
  const isDown = () => Promise.reject(new Error('Slack is down'))

  it('is left to those who tell late, at once', async () => {
    const { house, send } = await openSent()

    await expect(sendAndTell(house, 'T1', 'w', send, isDown)).rejects.toThrow('Slack is down')

    expect(await house.storage.wishes.claimUntold(1000)).toMatchObject([{ id: 'w' }])
  })

  it('stays with the request that is telling it, where the same was pressed again and that failed', async () => {
    const { house, send } = await openSent()
    const told = Promise.withResolvers<void>()
    const telling = Promise.withResolvers<void>()
    const first = sendAndTell(house, 'T1', 'w', send, () => {
      telling.resolve()
      return told.promise
    })
    await telling.promise

    await expect(sendAndTell(house, 'T1', 'w', send, isDown)).rejects.toThrow('Slack is down')

    expect(await house.storage.wishes.claimUntold(1000)).toEqual([])
    told.resolve()
    expect(await first).toBe(true)
  })
})
