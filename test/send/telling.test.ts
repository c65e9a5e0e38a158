// An outcome was told, and the store is asked to keep that: a store that fails is not the asker's trouble.
import { expect, it } from 'vitest'
import type { SendRoom } from '../../src/send/room.ts'
import { noteTold } from '../../src/send/telling.ts'
import type { KeptWish, Wishes } from '../../src/send/wishes.ts'
import { keepLog } from '../keep-log.ts'
import { dave } from '../monitor/setup.ts'
import { followedUp, openSendRoom, sender } from './send-room.ts'

const wish: KeptWish = {
  ...{ id: 'w', sender, askerId: sender.userId, channelId: 'C1', about: undefined },
  ...{ state: 'settled', isRest: false, askedAt: 1_700_000_000_000 },
  sends: [
    {
      ...{ n: 1, write: { kind: 'add-user', containerId: 12, ...dave }, outcome: { kind: 'done' } },
      ...{ isJoined: false, wasDoubted: false },
    },
  ],
}

async function openRoom(told: Wishes['told']) {
  const { log, lines } = keepLog('info')
  const waits: number[] = []
  const counted: string[] = []
  const sends = await openSendRoom({ addUser: async () => ({ kind: 'done' }) })
  const room: SendRoom = {
    ...{ ...sends, log, wishes: { ...sends.wishes, told } },
    wait: async (ms) => void waits.push(ms),
    followUps: followedUp({ count: ({ id }) => void counted.push(id) }),
  }
  return { room, lines, waits, counted }
}

it('is said again to a store that fails for a moment, and nobody hears of it', async () => {
  let times = 0
  const { room, lines, waits, counted } = await openRoom(async () => {
    times += 1
    if (times < 3) throw new Error('the database is locked')
    return true
  })
  await noteTold(room, wish)
  expect(counted).toEqual(['w'])
  expect(times).toBe(3)
  expect(waits).toHaveLength(2)
  expect(lines).toEqual([])
})

it('is logged when the store fails for good, and does not reject', async () => {
  const { room, lines, counted } = await openRoom(() => Promise.reject(new Error('the database is away')))
  await noteTold(room, wish)
  expect(counted).toEqual([])
  expect(lines).toHaveLength(1)
  expect(lines[0]).toContain('reporting it once more')
})
