// Counting together, by itself: what becomes of an answer of the database that comes late, or never.
import { setImmediate as immediately } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { createBuckets, createCountTogether, type UnreportedCharge } from '../../src/slack/gate/buckets.ts'
import { keepLog } from '../keep-log.ts'

const alice = { workspaceId: 'T1', userId: 'U1' }
const one = { cost: 1, needed: 1 }

/** Two processes share a database, whose answers the test gives. */
async function open() {
  const answers: PromiseWithResolvers<boolean>[] = []
  const added: UnreportedCharge[] = []
  const buckets = createBuckets({ perMinute: 3, now: () => 0, most: 10 })
  const { log, lines } = keepLog('info')
  const together = createCountTogether(
    {
      perMinute: 3,
      buckets,
      limits: {
        charge() {
          const answer = Promise.withResolvers<boolean>()
          answers.push(answer)
          return answer.promise
        },
        holdBack: async () => ({ left: 0.5, isToBeTold: true }),
        add: async (charges) => void added.push(...charges),
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
  const decisions = [1, 2, 3, 4].map(() => together.charge(alice, one))
  expect(await Promise.all(decisions)).toMatchObject([
    { isCharged: true },
    { isCharged: true },
    { isCharged: true },
    { isCharged: false },
  ])
  expect(await together.charge(alice, one)).toMatchObject({ isCharged: false })
  expect(answers).toHaveLength(4)
  expect(
    lines.filter((line) => line.includes('each process counts RATE_PER_MINUTE for itself')),
  ).toHaveLength(1)
})

it('hands over what the database was not told, and not what it was told late', async () => {
  const { together, answers, added } = await open()
  await Promise.all([together.charge(alice, one), together.charge(alice, one), together.charge(alice, one)])
  answers[0]?.resolve(true)
  answers[1]?.resolve(false)
  answers[2]?.reject(new Error('the connection broke'))
  await immediately()

  await together.stop()

  expect(added).toEqual([{ person: alice, cost: 2 }])
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
        charge: () => (asked++ % 2 === 0 ? Promise.resolve(true) : never),
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
        await together.charge(alice, one)
        return asked
      },
      { interval: 1, timeout: 30_000 },
    )
    .toBeGreaterThan(20)
  await together.stop()

  expect(
    lines.filter((line) => line.includes('each process counts RATE_PER_MINUTE for itself')),
  ).toHaveLength(1)
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

  expect(lines.join()).toContain('could not tell the other processes that this one is stopping')
})

function silentLimits(never: Promise<never>) {
  return {
    charge: () => never,
    holdBack: () => never,
    add: () => never,
    notFull: () => never,
    forgetWorkspace: () => never,
    prune: () => never,
  }
}
