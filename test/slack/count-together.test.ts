// Counting together, by itself: what becomes of an answer of the database that comes late, or never.
import { setImmediate as immediately } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { createCountTogether } from '../../src/slack/count-together.ts'
import { createBuckets } from '../../src/slack/person-buckets.ts'
import type { Taken } from '../../src/slack/shared-limits.ts'
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

  expect(added).toEqual([{ person: alice, left: 0, unshared: 2 }])
})
