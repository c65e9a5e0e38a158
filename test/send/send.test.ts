// The engine of requests, between processes: who may send, and what a sender may still do that others took for dead.
import { expect, it } from 'vitest'
import { grantKind } from '../../src/grant/write.ts'
import type { House } from '../../src/house.ts'
import { takeStep } from '../../src/send/request.ts'
import { keepBegun, sameMs, sendBegun } from '../../src/send/send.ts'
import { leaseMs } from '../../src/work/under-way.ts'
import { startClock } from '../clock.ts'
import { openHouse } from '../house.ts'
import { addsDaveTo } from './left-behind.ts'

const sender = { workspaceId: 'T1', userId: 'U1' }
const request = (id: string, ...containers: readonly number[]) => ({
  id,
  sender,
  channelId: 'C1',
  writes: containers.map((one) => addsDaveTo(one)),
})

/** What the service is asked for, and what is written down. */
async function open(answers: House['monitor']['addUser']) {
  const clock = startClock()
  const plain = await openHouse({ now: clock.now })
  const [asked, recorded]: [number[], unknown[]] = [[], []]
  const addUser: typeof answers = (token, containerId, user) => {
    asked.push(containerId)
    return answers(token, containerId, user)
  }
  const record = async (...[, , , done]: Parameters<typeof grantKind.record>) =>
    void recorded.push(done.outcome)
  const kind = { ...grantKind, record }
  const house = {
    ...plain,
    monitor: { ...plain.monitor, addUser },
    kinds: { ...plain.kinds, 'add-user': kind },
  }
  return { house, clock, asked, recorded }
}

it('a sender that was taken for dead sends nobody more, records nothing and tells nothing when it comes back', async () => {
  const answer = Promise.withResolvers<{ readonly kind: 'done' }>()
  const { house, clock, asked, recorded } = await open(() => answer.promise)
  const begun = await keepBegun(house, request('r1', 12, 13, 14))
  if (begun === undefined) throw new Error('it does not begin')
  const sending = sendBegun(house, 'token', begun)
  await expect.poll(() => asked).toEqual([12])
  clock.advance(leaseMs)

  const [ended] = await house.storage.requests.takeDue(takeStep, 50)
  answer.resolve({ kind: 'done' })
  const { isStillHeld } = await sending

  expect(asked).toEqual([12])
  expect(recorded).toEqual([])
  expect(isStillHeld).toBe(false)
  const kept = await house.storage.requests.find(begun)
  expect(kept?.sends.map(({ outcome }) => outcome?.kind)).toEqual([
    'uncertain',
    'not-sent',
    'not-sent',
  ])
  expect(kept).toEqual(ended)
})

it('the same request is begun once, and what is like it not within ten seconds, unless nothing was done', async () => {
  let refuses = false
  const { house, clock, asked } = await open(async () =>
    refuses ? { kind: 'not-done', code: 'busy' } : { kind: 'done' },
  )
  const begin = (id: string) => keepBegun(house, request(id, 12))
  const sends = async (id: string) => {
    const begun = await begin(id)
    if (begun !== undefined) await sendBegun(house, 'token', begun)
  }
  await sends('r1')
  expect(await begin('r1')).toBeUndefined()
  clock.advance(sameMs / 2)
  await expect(begin('r2')).rejects.toThrow('You asked for the same a moment ago')
  clock.advance(sameMs)
  expect(await begin('r1')).toBeUndefined()
  refuses = true
  await sends('r3')
  await sends('r4')

  expect(asked).toEqual([12, 12, 12])
})
