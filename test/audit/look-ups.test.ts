// Look-ups are written down in batches, after whoever looked an alert up has gone on.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createLookUpBatches } from '../../src/audit/recorder.ts'
import type { NewLookUp } from '../../src/audit/trail.ts'
import { createLog } from '../../src/log/log.ts'

function opened() {
  const written: (readonly NewLookUp[])[] = []
  let now = 0
  const lookUps = {
    add: async (batch: readonly NewLookUp[]) => void written.push(batch),
    page: async () => [],
    prune: async () => {},
  }
  const batches = createLookUpBatches({ lookUps, log: createLog({ level: 'silent' }), now: () => now })
  return {
    written,
    async pass(ms: number) {
      now += ms
      await vi.advanceTimersByTimeAsync(ms)
    },
    look(times: number) {
      for (let number = 1; number <= times; number += 1)
        batches.add({ workspaceId: 'T1', userId: 'U1', ks: `k${number}`, outcome: 'done' })
    },
  }
}

describe('look-ups', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
  afterEach(() => void vi.useRealTimers())

  it('of one second are one batch, each with how long it has waited', async () => {
    const { written, pass, look } = opened()
    look(1)
    await pass(400)
    look(2)
    await pass(599)
    expect(written).toEqual([])

    await pass(1)

    expect(written.map((batch) => batch.map(({ ageMs }) => ageMs))).toEqual([[1000, 600, 600]])
  })

  it('do not wait for the second when there are 500', async () => {
    const { written, pass, look } = opened()
    look(499)
    expect(written).toEqual([])

    look(2)

    expect(written.map((batch) => batch.length)).toEqual([500])
    await pass(1000)
    expect(written.map((batch) => batch.length)).toEqual([500, 1])
  })
})
