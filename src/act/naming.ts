// Names of people whom a text mentions: the service knows nothing of Slack’s ids.
import type { SlackUser } from '../slack/ids.ts'
import { namelessIn } from '../slack/text/typed.ts'
import type { ActRoom } from './room.ts'

/** Of these people, those whom Slack names. Their full names, raw, by their id. */
export async function namesOf(
  { people }: Pick<ActRoom, 'people'>,
  { workspaceId }: SlackUser,
  userIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const named = await Promise.all(
    userIds.map(async (id) => [id, await people.in(workspaceId).nameOf(id)] as const),
  )
  return new Map(named.flatMap(([id, name]) => (name === undefined ? [] : [[id, name] as const])))
}

/** The text as people read it: a mention is a name, or stays as it was typed where Slack has none. Raw. */
export async function withNames(
  room: Pick<ActRoom, 'people'>,
  asker: SlackUser,
  text: string,
): Promise<string> {
  const ids = namelessIn(text)
  if (ids.length === 0) return text
  const names = await namesOf(room, asker, ids)
  return text.replaceAll(/<@([UW][A-Z0-9]+)>/g, (mention, id: string) => {
    const name = names.get(id)
    return name === undefined ? mention : `@${name}`
  })
}
