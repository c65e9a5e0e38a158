// Leases of senders and tellers that live, and need long: nobody takes what is theirs.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createSendBatch } from '../../src/grant/send-batch.ts'
import type { Told } from '../../src/grant/wish.ts'
import { openStorage } from '../../src/storage/storage.ts'
import { leaseMs, renewMs, tellEach } from '../../src/work/lease.ts'

function stopIntervals(): void {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
}

/** Through the writes of the database. */
async function breathe(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate)
}

describe('a batch that takes longer to send than a lease', () => {
  it('is not ended by others while its sender lives', async () => {
    stopIntervals()
    const folder = mkdtempSync(join(tmpdir(), 'bellhop-test-'))
    let now = 1_700_000_000_000
    const storage = await openStorage({ url: `file:${join(folder, 'bellhop.db')}`, now: () => now })
    onTestFinished(async () => {
      await storage.close()
      rmSync(folder, { recursive: true })
    })
    const { batches } = storage
    const asker = { workspaceId: 'T1', userId: 'U1' }
    const wish = {
      ...{ containerId: 12, emails: ['dave@example.com', 'erin@example.com'], authProvider: undefined },
      ...{ member: false, permissions: ['READ', 'API'] as const },
    }
    const sent = Promise.withResolvers<readonly Told[]>()
    const sendBatch = createSendBatch({
      batches,
      makeWish: () => sent.promise,
      outcomes: { find: async () => [], conclude: async () => [], record: async () => undefined },
      wait: async () => undefined,
    })
    await batches.ask({ id: 'b1', asker, wish, channelId: 'C1' })
    const sending = sendBatch(asker, 'token', 'b1', { askedAfter: 0, joins: true, onSending: breathe })
    await breathe()

    for (let passed = 0; passed < 3 * leaseMs; passed += renewMs) {
      now += renewMs
      vi.advanceTimersByTime(renewMs)
      await breathe()
      expect(await batches.lapsed()).toEqual([])
    }

    sent.resolve([])
    expect(await sending).toMatchObject({ kind: 'settled' })
  })
})

describe('outcomes that one process has taken to tell them', () => {
  it('stay with it, those too whose turn has not come, until each is told', async () => {
    stopIntervals()
    const renewed: string[] = []
    const turns = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const told: string[] = []
    const telling = tellEach(
      ['first', 'second'],
      async (one) => {
        await turns[told.length]?.promise
        told.push(one)
      },
      async (one) => void renewed.push(one),
    )

    vi.advanceTimersByTime(renewMs)
    expect(renewed).toEqual(['first', 'second'])
    turns[0]?.resolve()
    await breathe()
    vi.advanceTimersByTime(renewMs)
    expect(renewed).toEqual(['first', 'second', 'second'])
    turns[1]?.resolve()
    await telling
    vi.advanceTimersByTime(leaseMs)
    expect(renewed).toHaveLength(3)
    expect(told).toEqual(['first', 'second'])
  })
})
