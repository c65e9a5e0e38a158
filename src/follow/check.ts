// Whether followed containers are read, and whether their channels hear of it: for doctor, and as figures.
import { span } from '../alert/render/state.ts'
import type { House } from '../house.ts'
import type { SlackUser } from '../slack/person.ts'

/** What is wrong with the containers that a channel follows, each with what to do. Raw. */
export async function problemsOf({ storage, now }: House, { workspaceId }: SlackUser, ref: string) {
  const all = await storage.follows.list({ workspaceId, ref })
  const since = (ms: number) => `for ${span(Math.round((now() - ms) / 1000)) ?? 'a moment'}`
  return all.flatMap(({ container, lostAt, unsaid }) => {
    if (lostAt !== undefined)
      return {
        found: `Nobody’s account has read ${container} ${since(lostAt)}, so nothing new appears here.`,
        mend: 'Press Take over with my account on its message: /alert follows shows it.',
      }
    if (unsaid === undefined) return []
    const why = unsaid.word === undefined ? 'Slack doesn’t take them' : `Slack says ${unsaid.word}`
    return {
      found: `New alerts of ${container} haven’t appeared here ${since(unsaid.since)}: ${why}.`,
      mend: 'Let Bellhop post here, in the channel’s settings, or type /alert follow in another channel.',
    }
  })
}

/** How many containers are followed, and since when the channel that is furthest behind knows nothing new. */
export async function countFollows({ storage, now }: House) {
  const all = await storage.follows.list({})
  const read = all.filter(({ lostAt }) => lostAt === undefined)
  const unsaid = read.flatMap((one) => one.unsaid?.since ?? [])
  const oldest = Math.min(now(), ...read.map(({ readAt }) => readAt || now()), ...unsaid)
  const byState = { read: read.length - unsaid.length, unsaid: unsaid.length, lost: all.length - read.length }
  return { byState, ageSeconds: (now() - oldest) / 1000 }
}
