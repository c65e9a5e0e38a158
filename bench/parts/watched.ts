// Live cards in a bot's database, as they are after people have pressed *Watch*.
import { actionMark } from '../../src/alert/told.ts'
import { parseAlertAnswer } from '../../src/monitor/schema.ts'
import type { Storage } from '../../src/storage/storage.ts'
import { seenOf } from '../../src/watch/draw.ts'
import { type BenchPerson, personAt, teamId } from '../stand-ins/names.ts'
import { alertText } from '../stand-ins/service.ts'

/** Cards have numbers of their own, from here on. */
const firstKey = 5_000_000
const lastKey = firstKey + 999_999
/** More than the bot would let one person have. */
const mostEach = 1_000
const ttlMs = 24 * 60 * 60_000
/** What a bot takes to come up. */
const startingMs = 2_000

/** Whose card it is; undefined for alerts that nobody watches. */
export function watcherOf(key: string): BenchPerson | undefined {
  const number = Number(key.slice('bench-'.length))
  return number >= firstKey && number <= lastKey ? personAt(number - firstKey) : undefined
}

/**
 * Each card in a channel of its own: in one, they would wait for each other. Each was looked at before, and is due
 * again at some time within the interval.
 */
export async function keepWatches(storage: Storage, count: number, intervalMs: number): Promise<void> {
  await startAll(storage, count)
  await lookAtAll(storage, intervalMs)
}

/** As a bot leaves them behind. */
async function lookAtAll({ watches }: Storage, intervalMs: number): Promise<void> {
  const lease = { owner: 'bench', leaseMs: 600_000, most: 100 }
  for (let due = await watches.lease(lease); due.length > 0; due = await watches.lease(lease)) {
    for (const live of due) {
      const alert = parseAlertAnswer(alertText(live.card?.ks ?? ''))
      const seen = seenOf(alert, live.watchers)
      const inMs = Math.round(startingMs + intervalMs * Math.random())
      await watches.looked('bench', live, {
        drawn: live.shown,
        seen,
        isRead: true,
        failures: 0,
        inMs,
        askInMs: 0,
      })
    }
  }
}

async function startAll(storage: Storage, count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    const ks = `bench-${firstKey + index}`
    const { userId, name } = personAt(index)
    const channelId = `C0WATCH${String(index).padStart(5, '0')}`
    const posted = { channelId, ts: `1700000000.${String(index).padStart(6, '0')}` }
    const alert = parseAlertAnswer(alertText(ks))
    const cardId = `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`
    await storage.cards.keep({
      id: cardId,
      workspaceId: teamId,
      ks,
      title: alert.lastMessage,
      asker: { workspaceId: teamId, userId },
      askerName: name,
      channelId,
      isPrivate: false,
      layout: 'thread',
      told: alert.actions.map(actionMark),
      version: 0,
      posted,
      reply: undefined,
    })
    const asOf = Math.floor(Date.now() / 1000)
    // Nothing has to be drawn again only for a check to be shown, however many they are.
    const nextBy = asOf + ttlMs / 1000
    const shown = { alert: { ...alert, actions: [] }, asOf, nextBy, isOverdue: false, look: 'as posted' }
    await storage.watches.start({ workspaceId: teamId, cardId, posted, userId, name, ttlMs, shown }, mostEach)
  }
}
