import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { sampleHeap } from '../heap.ts'
import { attack, written } from '../hostile/attack.ts'
import { faults, strayPaths, unasked, untyped } from '../hostile/harm.ts'
import { type HostileWorld, ks, openHostileWorld } from '../hostile/hostile-world.ts'
import { mutations } from '../hostile/mutate.ts'
import {
  connectAgain,
  type Kind,
  kinds,
  type Recorded,
  recordSession,
} from '../hostile/recorded.ts'

/** To repeat a run: HOSTILE_SEED=… npm run test:full; for a longer one: HOSTILE_COUNT=5000 */
const seed = Number(process.env.HOSTILE_SEED ?? Date.now() % 1_000_000_007)
const count = Number(process.env.HOSTILE_COUNT ?? 800)

/** A wish may have been typed in one of these before, and be pressed now. */
const typing: readonly Kind[] = [
  'slash_commands',
  'view_submission',
  'event app_mention',
  'event message',
]

let world: HostileWorld
let recorded: Recorded

beforeAll(async () => {
  world = await openHostileWorld()
  recorded = await recordSession(world)
}, 300_000)
afterAll(() => world.stop())

/** How many requests have come in and are not handled yet. */
function underWay(log: ReturnType<HostileWorld['log']>): number {
  const requests = (said: string) =>
    log.filter(({ msg }) => msg === said).map(({ request }) => request)
  const handled = new Set(requests('handled'))
  return requests('a request came in').filter((id) => !handled.has(id)).length
}

afterEach(async function stillWorks() {
  expect(world.bot.child.exitCode).toBeNull()
  world.forget()
  world.deliver(true)
  await connectAgain(world)
  await world.alice.types(`/alert ${ks}`, world.general)
  await world.alice.sees('Disk full', world.general)
  world.deliver(false)
  world.forget()
}, 300_000)

describe(`${count} requests with other words in them (HOSTILE_SEED=${seed})`, () => {
  it.each(kinds)(
    'of the kind %s do no harm',
    async (kind) => {
      const { bot, service, slack, elsewhere } = world
      const mutatedOf = (one: Kind) =>
        mutations(recorded.get(one) ?? [], { seed, count, elsewhere: elsewhere.url })
      const before = { printed: bot.output().length, requests: service.requests.length }
      function* requests() {
        let index = 0
        for (const payload of mutatedOf(kind)) {
          if (index % 250 === 0) world.forget()
          yield written(kind, world.renewed(payload))
          index += 1
        }
      }

      const unreadable: string[] = []
      const hear = slack.onChange((change) => {
        if (change.kind !== 'call' || !/invalid_blocks/.test(String(change.call.answer.error)))
          return
        unreadable.push(JSON.stringify([change.call.answer, change.call.args]))
      })
      const statuses = await attack(world.requestUrl, slack.signingSecret, requests())
      // Long after the last ack, on a machine whose disk is busy.
      await expect
        .poll(() => underWay(world.log(before.printed)), { timeout: 240_000, interval: 250 })
        .toBe(0)
      await slack.idle()
      hear()

      const log = world.log(before.printed)
      const asked = service.requests.slice(before.requests)
      expect(statuses).toEqual({ 200: count })
      expect(strayPaths(asked)).toEqual([])
      const sent = () => [kind, ...typing].flatMap((one) => [...mutatedOf(one)])
      expect(untyped(asked, sent)).toEqual([])
      expect(unasked(asked, sent)).toEqual([])
      expect(elsewhere.heard).toEqual([])
      expect(unreadable).toEqual([])
      expect(faults(log)).toEqual([])
      expect((await sampleHeap(bot.child)).heapMb).toBeLessThan(120)
    },
    300_000,
  )
})
