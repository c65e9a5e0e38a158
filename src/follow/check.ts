// What doctor says of the containers that a channel follows: whether they are read, and whether the channel hears of it.
import { span } from '../alert/render/state.ts'
import type { House } from '../house.ts'
import type { Follow } from './follows.ts'

/** What is wrong with the containers that a channel follows, each with what to do. Raw. */
export async function followProblems({ storage, now }: House, workspaceId: string, channelId: string) {
  const all = await storage.follows.list({ workspaceId, ref: channelId })
  return all.flatMap((follow) => problemOf(follow, now()) ?? [])
}

function problemOf({ container, lostAt, unsaid }: Follow, now: number) {
  const since = (ms: number) => `for ${span(Math.round((now - ms) / 1000)) ?? 'a moment'}`
  if (lostAt !== undefined)
    return {
      found: `Nobody’s account has read ${container} ${since(lostAt)}, so nothing new appears here.`,
      mend: 'Press Take over with my account on its message: /alert follows shows it.',
    }
  if (unsaid === undefined) return undefined
  const why = unsaid.word === undefined ? 'Slack doesn’t take them' : `Slack says ${unsaid.word}`
  return {
    found: `New alerts of ${container} haven’t appeared here ${since(unsaid.since)}: ${why}.`,
    mend: 'Let Bellhop post here, in the channel’s settings, or type /alert follow in another channel.',
  }
}
