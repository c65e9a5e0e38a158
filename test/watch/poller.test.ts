// The poller over simulated time, with real leases: what it takes, keeps, loses and gives back.
import { expect, it, onTestFinished } from 'vitest'
import { simulateTime } from '../../bench/soak/simulated-time.ts'
import { createLog } from '../../src/log/log.ts'
import { createPoller, type Look } from '../../src/watch/poller.ts'
import { open, temporaryFile } from '../storage/files.ts'
import { looked as lookedWell, shown, watch } from '../storage/watch-samples.ts'

const intervalMs = 30_000
const nothingElse = {
  updates: { next: () => [], waiting: () => 0 },
  log: createLog({ level: 'silent' }),
}

/** So many live cards, and a poller that looks at them in this way. */
async function openPoller(
  count: number,
  lookAt: (cardId: string, time: ReturnType<typeof simulateTime>) => Promise<void>,
) {
  const time = simulateTime()
  const { watches } = await open(temporaryFile(), time.now)
  for (let index = 0; index < count; index += 1) {
    const posted = { channelId: 'C1', ts: '1.2' }
    await watches.start(
      { workspaceId: 'T1', cardId: `c${index}`, posted, userId: 'U1', name: 'Alice', ttlMs: 9e9, shown },
      count,
    )
  }
  const looked: { readonly cardId: string; readonly at: number }[] = []
  const look: Look = async ({ live, owner }) => {
    looked.push({ cardId: live.cardId, at: time.now() })
    await lookAt(live.cardId, time)
    await watches.looked(owner, live, {
      ...lookedWell,
      inMs: intervalMs,
    })
    return undefined
  }
  const options = { intervalMs, sleep: time.sleep, monotonic: time.now }
  const poller = createPoller({ ...nothingElse, watches }, options)
  const timesOf = (cardId: string) => looked.filter((one) => one.cardId === cardId).map(({ at }) => at)
  onTestFinished(async () => {
    const stopped = poller.stop()
    await time.run(30 * intervalMs)
    await stopped
  })
  const start = () => poller.start(look)
  return { poller: { ...poller, start }, watches, time, looked, timesOf }
}

it('a look that dies gives its card back when the lease runs out, though the process looks at others', async () => {
  let deaths = 1
  const { poller, time, timesOf } = await openPoller(3, async (cardId, { sleep }) => {
    if (cardId === 'c1') await sleep(20 * intervalMs)
    if (cardId === 'c0' && deaths-- > 0) throw new Error('the database was gone')
  })
  poller.start()

  await time.run(4 * intervalMs)

  const [first = 0, second = 0] = timesOf('c0')
  expect(second - first).toBeLessThanOrEqual(1.6 * intervalMs)
  expect(timesOf('c2').length).toBeGreaterThan(3)
})

it('a look that takes long keeps its card, and is not begun twice', async () => {
  const { poller, time, timesOf, watches } = await openPoller(1, (_, { sleep }) => sleep(5 * intervalMs))
  poller.start()

  await time.run(4 * intervalMs)

  expect(timesOf('c0')).toHaveLength(1)
  expect(await watches.lease({ owner: 'another', leaseMs: 1, most: 10 })).toEqual([])
  await time.run(2.1 * intervalMs)
  expect(timesOf('c0')).toHaveLength(2)
})

it('a service that does not answer is not asked by more than 200 looks at once, and each is asked in the end', async () => {
  let under = 0
  let most = 0
  const { poller, time, looked } = await openPoller(450, async (_, { sleep }) => {
    under += 1
    most = Math.max(most, under)
    await sleep(8_000)
    under -= 1
  })
  poller.start()

  await time.run(intervalMs)

  expect(most).toBe(200)
  expect(new Set(looked.map(({ cardId }) => cardId)).size).toBe(450)
})

it('a stop gives back what is in hand, so that another takes it at once', async () => {
  const { poller, time, watches } = await openPoller(2, (_, { sleep }) => sleep(intervalMs / 2))
  poller.start()
  await time.run(100)

  const stopped = poller.stop()
  await time.run(intervalMs)
  await stopped
  await time.run(intervalMs)

  expect(await watches.lease({ owner: 'another', leaseMs: 1, most: 10 })).toHaveLength(2)
})

it('a process that cannot prolong its leases knows when they are lost', async () => {
  const time = simulateTime()
  const { watches } = await open(temporaryFile(), time.now)
  await watches.start(watch('c0'), 1)
  const known: boolean[] = []
  const look: Look = async ({ isHeld }) => {
    for (let part = 0; part < 4; part += 1) {
      known.push(isHeld())
      await time.sleep(intervalMs / 2)
    }
    return undefined
  }
  const renew = () => Promise.reject(new Error('the database is gone'))
  const room = { ...nothingElse, watches: { ...watches, renew } }
  const poller = createPoller(room, { intervalMs, sleep: time.sleep, monotonic: time.now })
  poller.start(look)
  await time.run(1.6 * intervalMs)
  const stopped = poller.stop()
  await time.run(10 * intervalMs)
  await stopped

  expect(known).toEqual([true, true, true, false])
})
