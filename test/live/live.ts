// Tools for tests of live cards: an alert, what happens to it, a card that is live, and time that passes.
import type { Channel } from '../../playground/slack/model/model.ts'
import type { SeenMessage } from '../../playground/slack/person/seen.ts'
import { openFile } from '../database-folder.ts'
import { bobToken, type World } from '../world.ts'

export const intervalMs = 30_000

export const diskFull = {
  ks: '5HkX',
  message: 'Disk full',
  severity: 2,
  timestamp: 1_700_000_000,
} as const

export const comment = (message: string, timestamp = 1_700_000_060) => ({
  kind: 'Comment',
  timestamp,
  data: { userId: 7, message },
})

/** Alice's card of the alert, live, its first look done. */
export async function liveCard(
  world: World,
  channel: Channel = world.general,
): Promise<SeenMessage> {
  await world.alice.types('/alert 5HkX watch', channel)
  const card = await world.alice.sees(/Disk full[\s\S]*👁/, channel)
  await world.alice.sees(/History|No actions/, card)
  return card
}

const copies = `with recursive number (n) as (select 2 union all select n + 1 from number where n < ?)
  insert into docs (kind, workspace_id, id, owner_id, ref, claim, due_at, kept_at, doc)
  select kind, workspace_id, id || n, owner_id, ref || n, null, null, kept_at, json_set(doc, '$.id', id || n)
  from docs, number where kind = ?`

const copiesInLists = `with recursive number (n) as (select 2 union all select n + 1 from number where n < ?)
  insert into docs_listed (kind, list, workspace_id, place, id)
  select kind, list, workspace_id, place, id || n from docs_listed, number where kind = ?`

/** Copies the live cards there are, or the follows, until there are so many. Nobody looks at them. */
export async function copyDocs(
  { slack, env }: World,
  kind: 'live-card' | 'follow',
  count: number,
): Promise<void> {
  await slack.idle()
  const database = openFile(env.DATABASE_URL)
  for (const each of [copies, copiesInLists]) database.prepare(each).run(count, kind)
}

/** A card that Alice and Bob watch. */
export async function watchedByBoth(world: World) {
  const { bob, general } = world
  await world.connect(bob, bobToken)
  const card = await liveCard(world)
  await bob.presses('Watch', await bob.sees('👁', general))
  await bob.sees('👁️ alice, bob', general)
  await world.slack.idle()
  return card
}

/** Lets what is under way be done, then time pass. */
export async function passes(world: World, ms: number = intervalMs * 1.1): Promise<void> {
  await world.slack.idle()
  world.clock.advance(ms)
}

/** Resolves when the card does not say that it is live any more: its thread knows that first. */
export function isLiveNoMore({ slack }: World, card: SeenMessage): Promise<true> {
  return slack.workspace.changes.until(
    () => !card.plain.includes('👁') || undefined,
    5000,
    () => `it is still live: ${card.plain}`,
  )
}

/** How often the service was asked for the alert. */
export function timesRead({ service }: World, ks = '5HkX'): number {
  return service.requests.filter(({ path }) => path === `/alert/${ks}`).length
}

/** The replies below a card that say this. */
export function repliesWith(card: SeenMessage, words: string | RegExp): readonly SeenMessage[] {
  return card.thread.filter(({ plain }) =>
    typeof words === 'string' ? plain.includes(words) : words.test(plain),
  )
}

/** Resolves when the bot begins its next call of this method. */
export function begins({ slack }: World, method: string): Promise<void> {
  return new Promise((resolve) => {
    const stop = slack.onChange((change) => {
      if (change.kind !== 'call_started' || change.call.method !== method) return
      stop()
      resolve()
    })
  })
}
