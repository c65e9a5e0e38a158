// People and user groups that the bot may mention: ids that somebody has set, and nobody that a message names. Pure.
import type { RichTextElement } from '@slack/types'

/** Ids of people (`U…`, `W…`) and of user groups (`S…`), each once. */
export type MentionIds = readonly string[]

export const mostMentioned = 10

/** As it is typed, and as Slack writes what somebody pastes. */
const entry =
  /^(?:<@([UW][A-Z0-9]{2,20})(?:\|[^<>]*)?>|<!subteam\^(S[A-Z0-9]{2,20})(?:\|[^<>]*)?>|([UWS][A-Z0-9]{2,20}))$/

/** Reads ids with commas or spaces between them; undefined where one is none, or there are too many. */
export function readMention(text: string): MentionIds | undefined {
  const words = text.split(/[\s,]+/).filter((word) => word !== '')
  const ids = words.map((word) =>
    entry
      .exec(word)
      ?.slice(1)
      .find((id) => id !== undefined),
  )
  const known = [...new Set(ids)].filter((id) => id !== undefined)
  return ids.includes(undefined) || known.length > mostMentioned ? undefined : known
}

/** Notifies each of them. */
export function mentionElements(mention: MentionIds): RichTextElement[] {
  return mention.flatMap((id, index) => [
    ...(index === 0 ? [] : [{ type: 'text' as const, text: ' ' }]),
    id.startsWith('S')
      ? ({ type: 'usergroup', usergroup_id: id } as const)
      : ({ type: 'user', user_id: id } as const),
  ])
}

/** In mrkdwn. In a message, it would notify them; a form notifies nobody. */
export function mentionLinks(mention: MentionIds): string {
  return mention.map((id) => (id.startsWith('S') ? `<!subteam^${id}>` : `<@${id}>`)).join(' ')
}
