// The limit of people in a process that is alone, for tests of what stands on it.

import { createBuckets } from '../../src/slack/gate/buckets.ts'
import { createPersonLimit, type PersonLimit } from '../../src/slack/gate/gate.ts'
import type { Clock } from '../../src/slack/ids.ts'

export function limitAlone(room: {
  readonly perMinute: number
  readonly now: Clock
  readonly most?: number
  readonly onHeldBack?: () => void
}): PersonLimit {
  const buckets = createBuckets({ most: 10_000, ...room })
  return createPersonLimit({ ...room, decide: async (person, price) => buckets.charge(person, price) })
}
