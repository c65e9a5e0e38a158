// Counting together, by itself: what becomes of an answer of the database that comes late, or never.
import { setImmediate as immediately } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { createBuckets, createCountTogether, type Taken } from '../../src/slack/gate/person-limit.ts'
import { keepLog } from '../keep-log.ts'

const alice = { workspaceId: 'T1', userId: 'U1' }
const one = { cost: 1, needed: 1 }

/** Two processes share a database, whose answers the test gives. */
async function open() {
  const answers: PromiseWithResolvers<boolean>[] = []
  const added: Taken[] = []
  const buckets = createBuckets({ perMinute: 3, now: () => 0, most: 10 })
  const { log, lines } = keepLog('info')
  const together = createCountTogether(
    {
      perMinute: 3,
      buckets,
      limits: {
        take() {
          const answer = Promise.withResolvers<boolean>()
          answers.push(answer)
          return answer.promise
        },
        heldBack: async () => ({ left: 0.5, isToBeTold: true }),
        add: async (taken) => void added.push(...taken),
        notFull: async () => [],
        forgetWorkspace: async () => undefined,
        prune: async () => undefined,
      },
      processes: { renew: async () => 2, leave: async () => undefined, prune: async () => undefined },
      log,
      now: Date.now,
    },
    { renewMs: 3_600_000, answerMs: 5 },
  )
  together.start()
  await expect.poll(() => together.processes()).toBe(2)
  return { together, answers, added, lines }
}

it('makes one person wait for a database that never answers, and a moment only', async () => {
  const { together, answers, lines } = await open()
  const decisions = [1, 2, 3, 4].map(() => together.take(alice, one))
  expect(await Promise.all(decisions)).toMatchObject([
    { isTaken: true },
    { isTaken: true },
    { isTaken: true },
    { isTaken: false },
  ])
  expect(await together.take(alice, one)).toMatchObject({ isTaken: false })
  expect(answers).toHaveLength(4)
  expect(lines.filter((line) => line.includes('each process for itself'))).toHaveLength(1)
})

it('hands over what the database was not told, and not what it was told late', async () => {
  const { together, answers, added } = await open()
  await Promise.all([together.take(alice, one), together.take(alice, one), together.take(alice, one)])
  answers[0]?.resolve(true)
  answers[1]?.resolve(false)
  answers[2]?.reject(new Error('the connection broke'))
  await immediately()

  await together.stop()

  expect(added).toEqual([{ person: alice, unshared: 2 }])
})

it('is told once of a database that is slow now and then', async () => {
  const { log, lines } = keepLog('info')
  const never = new Promise<never>(() => undefined)
  let asked = 0
  const together = createCountTogether(
    {
      perMinute: 300,
      buckets: createBuckets({ perMinute: 300, now: () => 0, most: 10 }),
      limits: {
        ...silentLimits(never),
        take: () => (asked++ % 2 === 0 ? Promise.resolve(true) : never),
        add: async () => undefined,
      },
      processes: { renew: async () => 2, leave: async () => undefined, prune: async () => undefined },
      log,
      now: Date.now,
    },
    { renewMs: 2, answerMs: 5 },
  )
  together.start()
  await expect.poll(() => together.processes()).toBe(2)

  await expect
    .poll(
      async () => {
        await together.take(alice, one)
        return asked
      },
      { interval: 1, timeout: 10_000 },
    )
    .toBeGreaterThan(20)
  await together.stop()

  expect(lines.filter((line) => line.includes('each process for itself'))).toHaveLength(1)
})

it('stops though the database does not answer, and says that the others do not know', async () => {
  const { log, lines } = keepLog('info')
  const never = new Promise<never>(() => undefined)
  const together = createCountTogether(
    {
      perMinute: 3,
      buckets: createBuckets({ perMinute: 3, now: () => 0, most: 10 }),
      limits: silentLimits(never),
      processes: { renew: () => never, leave: () => never, prune: () => never },
      log,
      now: Date.now,
    },
    { answerMs: 5, farewellMs: 5 },
  )
  together.start()

  await together.stop()

  expect(lines.join()).toContain('the other processes could not be told that this one stops')
})

function silentLimits(never: Promise<never>) {
  return {
    take: () => never,
    heldBack: () => never,
    add: () => never,
    notFull: () => never,
    forgetWorkspace: () => never,
    prune: () => never,
  }
}
