// Texts as monitoring gets them: people whom they mention go by name, as the service knows nothing of Slack’s ids, and
// what it would not take comes back to whoever wrote it.
import { endsAs } from '../log/request.ts'
import type { From } from '../slack/guard/requests.ts'
import type { SlackUser } from '../slack/ids.ts'
import { renderTextBack } from '../slack/outbound/message.ts'
import { namelessIn } from '../slack/text/typed.ts'
import type { ActRoom } from './room.ts'
import { lengthProblem, type WantedText } from './text-rules.ts'

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

/** A mention as Slack writes it, and as people paste it. */
const mentions = /<@([UW][A-Z0-9]+)(?:\|([^<>]*))?>/g

/** The text as people read it: a mention is a name, or stays as it was typed where Slack has none. Raw. */
async function withNames(room: Pick<ActRoom, 'people'>, asker: SlackUser, text: string): Promise<string> {
  const names = await namesOf(room, asker, namelessIn(text))
  return text.replaceAll(mentions, (mention, id: string, label = '') => {
    const name = names.get(id) ?? label
    return name === '' ? mention : `@${name}`
  })
}

/**
 * What somebody wants to say, as it is sent; undefined where it is too long, or says too little: they get it back.
 * @returns Raw.
 */
export async function textToSend(
  room: Pick<ActRoom, 'people' | 'delivery'>,
  { asker, place }: From,
  said: WantedText,
): Promise<string | undefined> {
  const message = await withNames(room, asker, said.message)
  const problem = lengthProblem({ ...said, message })
  if (problem === undefined) return message
  endsAs('user-error')
  await room.delivery.privately(place, renderTextBack(`${problem} Nothing was sent.`, message))
  return undefined
}
