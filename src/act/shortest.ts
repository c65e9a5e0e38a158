// Shortest text that closes an alert as its solution, as its container asks for it.
import { learnShortest, shortestKnown } from '../names/containers.ts'
import type { SlackUser } from '../slack/ids.ts'
import { inTime } from '../work/in-time.ts'
import type { ActRoom } from './room.ts'

/** Which alert, as far as somebody knows. */
interface Which {
  readonly ks: string
  readonly cardId: string | undefined
}

/** A form can be opened for three seconds after the press. */
const momentMs = 500

/** Undefined where their token hasn't shown it lately. Asks nobody. */
export async function shortestFor(
  { alert, names }: Pick<ActRoom, 'alert' | 'names'>,
  asker: SlackUser,
  { ks, cardId }: Which,
): Promise<number | undefined> {
  const card = cardId === undefined ? undefined : await alert.cards.find(asker.workspaceId, cardId)
  return shortestKnown(names, asker, ks, card?.link)
}

/** For a form that is about to open: reads it with their own token, and waits no longer than a moment. */
export async function shortestToShow(
  room: ActRoom,
  asker: SlackUser,
  which: Which,
): Promise<number | undefined> {
  const { account, alert, names } = room
  const token = await account.tokens.find(asker)
  if (token === undefined) return undefined
  const { ks, cardId } = which
  const card = cardId === undefined ? undefined : await alert.cards.find(asker.workspaceId, cardId)
  const learning = alert.work.track(learnShortest(names, asker, token, ks, card?.link))
  await inTime(learning, momentMs)
  return shortestFor(room, asker, which)
}
