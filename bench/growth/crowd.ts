// Many things that fall due at the same moment, as after an outage, or at 18:00. Each is a copy of one that came about as
// people make it.
import type { DatabaseSync } from 'node:sqlite'
import { setTimeout as wait } from 'node:timers/promises'
import type { Channel } from '../../playground/slack/model/model.ts'
import type { Posted } from '../../src/slack/outbound/message.ts'
import type { Storage } from '../../src/storage/storage.ts'
import { type Ground, lookAtFollowed, lookEveryMs, operationsAmong, rest } from './operations.ts'

/** Where they are kept. */
export interface Kept {
  readonly storage: Storage
  readonly database: DatabaseSync
  readonly now: () => number
}

export const namesOfCrowds = ['watched cards', 'ends of access', 'follows'] as const

/** Once it has run, all of them were due, and nobody works on any of them any more. */
export interface Crowd {
  readonly begin: () => Promise<void>
  readonly run: () => Promise<void>
  readonly end: () => Promise<void>
}

const openInEach = 20
const peopleOnEach = 20
const hourMs = 60 * 60_000

/** @param count - How many there are of each. */
export function crowdsOf(
  ground: Ground,
  kept: Kept,
  count: number,
): Readonly<Record<(typeof namesOfCrowds)[number], Crowd>> {
  const { alice, slack, service, advance } = ground
  const { storage } = kept
  const { teamId: workspaceId } = slack
  const following = lookAtFollowed(ground, openInEach, 20_000 + count)
  const watching = operationsAmong(ground)['a look at a watched card']
  const granting = operationsAmong(ground)['a grant for a time']

  const idOf = (n: number) => `crowd-${count}-${n}.1`

  const addChannel = (name: string) =>
    slack.addChannel({ name, members: [alice], botIsMember: true })

  /** A message of the bot, which it can edit. */
  function post({ id: channelId }: Channel): Pick<Posted, 'channelId' | 'ts'> {
    const { bot } = slack.workspace
    const by = { authorId: bot.userId, via: 'chat.postMessage' }
    return { channelId, ts: slack.workspace.post({ channelId, text: 'one of many', ...by }).ts }
  }

  async function follow(): Promise<void> {
    await following.begin?.()
    const [one] = await storage.follows.list({ workspaceId, ownerId: alice.id, newest: 1 })
    if (one === undefined) throw new TypeError('nothing is followed')
    await following.end?.()
    await insertEach((n) => {
      const own = addChannel(`followed-${count}-${n}`)
      return storage.follows.insert(() => ({
        ...one,
        id: idOf(n),
        channelId: own.id,
        ownMessage: { ...one.ownMessage, posted: post(own) },
        lists: [],
      }))
    })
  }

  async function watch(): Promise<void> {
    await watching.begin?.()
    const [live] = await storage.liveCards.list({ workspaceId, ref: 'watched', newest: 1 })
    const card = live && (await storage.cards.find(live))
    if (live === undefined || card === undefined) throw new TypeError('nothing is watched')
    await watching.end?.()
    const elsewhere = addChannel(`watched-${count}`)
    await insertEach(async (n) => {
      const own = { id: idOf(n), posted: post(elsewhere) }
      await storage.cards.insert(() => ({ ...card, ...own }))
      await storage.liveCards.insert(() => ({ ...live, ...own }))
    })
  }

  async function grant(): Promise<void> {
    await granting.run(count)
    const [one] = await storage.ends.list({ workspaceId, ownerId: alice.id, newest: 1 })
    if (one === undefined) throw new TypeError('nothing ends')
    await storage.ends.drop(one)
    await insertEach((n) => {
      const containerId = 30_000 + count * 100 + Math.floor(n / peopleOnEach)
      if (n % peopleOnEach === 0) service.addContainer(containerId)
      const email = `ends-${count}-${n}@example.com`
      const { id: userId } = service.addUser({ email })
      service.addMember(containerId, { email, permissions: one.flags })
      const there = one.whom.there && { ...one.whom.there, userId }
      const whom = { email, there }
      return storage.ends.insert(() => ({ ...one, id: idOf(n), containerId, whom }))
    })
  }

  async function insertEach(insert: (n: number) => Promise<unknown>): Promise<void> {
    await slack.idle()
    await Promise.all(Array.from({ length: count }, (_, n) => insert(n)))
  }

  /** Nothing of it falls due with the next crowd. */
  const forgetting = (docs: Pick<Storage['ends'], 'drop'>) => async () => {
    for (let n = 0; n < count; n += 1) await docs.drop({ workspaceId, id: idOf(n) })
  }

  const falling = (kind: string, afterMs: number) => async () => {
    advance(afterMs)
    while (isUnderWay(kept, kind)) await wait(20)
    await rest(ground)
  }

  return {
    follows: {
      begin: follow,
      run: falling('follow', lookEveryMs),
      end: forgetting(storage.follows),
    },
    'watched cards': {
      begin: watch,
      run: falling('live-card', lookEveryMs),
      end: forgetting(storage.liveCards),
    },
    'ends of access': {
      begin: grant,
      run: falling('end', 4 * hourMs),
      end: forgetting(storage.ends),
    },
  }
}

function isUnderWay({ database, now }: Kept, kind: string): boolean {
  const some = `select 1 from docs where kind = ? and
    (due_at <= ? or json_extract(doc, '$.heldUntil') > ?) limit 1`
  return database.prepare(some).get(kind, now(), now()) !== undefined
}
