// Cards, watches and leases for the contract of watches.
import { expect } from 'vitest'
import type { Card } from '../../src/alert/cards.ts'
import type { Storage } from '../../src/storage/storage.ts'
import type { CardShown, LiveCard, Looked, NewWatch } from '../../src/watch/watches.ts'

export const hourMs = 3_600_000
export const stopped = { kind: 'stopped', by: 'Alice' } as const

export const card = (id: string, workspaceId = 'T1'): Card => ({
  id,
  workspaceId,
  ks: `ks of ${id}`,
  title: 'Disk full',
  asker: { workspaceId, userId: 'U1' },
  askerName: 'Alice',
  channelId: 'C1',
  isPrivate: false,
  layout: 'thread',
  told: [],
  version: 0,
  posted: { channelId: 'C1', ts: '1.2' },
})

export const watch = (cardId: string, userId = 'U1', workspaceId = 'T1'): NewWatch => ({
  workspaceId,
  cardId,
  posted: { channelId: 'C1', ts: '1.2' },
  userId,
  name: `name of ${userId}`,
  ttlMs: hourMs,
  shown,
})

export const shown: CardShown = {
  alert: {
    ks: 'k',
    message: 'm',
    severity: 1,
    timestamp: 1,
    lastMessage: 'm',
    lastSeverity: 1,
    lastTimestamp: 1,
    ownerId: null,
    closedTimestamp: null,
    actions: [],
  },
  asOf: 1_800_000_000,
  isOverdue: false,
  look: 'look',
}

export const looked: Looked = {
  drawn: undefined,
  isSeen: undefined,
  isRead: true,
  failures: 0,
  inMs: 30_000,
}
export const byA = { owner: 'A', leaseMs: 45_000, most: 10, farthestMs: 24 * hourMs }
export const byB = { ...byA, owner: 'B' }

export async function live({ storage }: { storage: Storage }, ...ids: string[]): Promise<void> {
  for (const id of ids) {
    await storage.cards.keep(card(id))
    expect(await storage.watches.start(watch(id), 20)).toBe('started')
  }
}

export const idsOf = (cards: readonly LiveCard[]) => cards.map(({ cardId }) => cardId)

export async function leased(storage: Storage, lease = byA): Promise<LiveCard> {
  const [only, ...others] = await storage.watches.lease(lease)
  expect(others).toEqual([])
  if (only === undefined) throw new Error('nothing was due')
  return only
}
