// *Add as comment* in a message’s menu: opens the form with its text, without markup, which monitoring shows raw.
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { type Card, cardInThread, cardTheySee, onlyOne } from '../alert/cards.ts'
import { mentionedIn, textsIn } from '../alert/keys-in-message.ts'
import type { House } from '../house.ts'
import type { ShortcutRequest } from '../slack/guard/requests.ts'
import { slackId } from '../slack/person.ts'
import { namelessIn, toPlainText, withNames } from '../slack/text/markup.ts'
import { cut } from '../slack/text/mrkdwn.ts'
import { inTime } from '../work/under-way.ts'
import { namesOf } from './act.ts'
import { formState, intentOn } from './intent.ts'
import {
  actModal,
  cutNote,
  lengthOf,
  longestComment,
  maskedNote,
  withoutTokens,
} from './render/forms.ts'
import { hearsOfLack } from './rights.ts'

/** Slack’s trigger works for three seconds, and Slack may take its time to name people. */
const namesMs = 1_500

export async function openAddAsComment(house: House, request: ShortcutRequest): Promise<void> {
  const { asker, place, triggerId, message } = request
  const { alertUrl } = house.config
  const card = await cardAt(house, request)
  const wanted = { act: 'comment' } as const
  const onCard = card && intentOn(card, null, wanted)
  if (onCard !== undefined && (await hearsOfLack(house, request, onCard))) return
  const intent = onCard ?? { ...wanted, id: randomUUID(), message: '' }
  const [onlyKey, ...others] = card === undefined ? mentionedIn(message, alertUrl).keys : []
  const { text, userId, name } = readMessage(message)
  const people = [...namelessIn(text), ...(userId === undefined ? [] : [userId])]
  const names =
    (await inTime(namesOf(house, [...new Set(people)]), namesMs)) ?? new Map<string, string>()
  const author = userId === asker.userId ? undefined : (names.get(userId ?? '') ?? name)
  const token = await house.tokens.find(asker)
  await house.slack.openView(
    triggerId,
    actModal({
      act: 'comment',
      state: formState(place, intent),
      headline: card?.title,
      typedKey: others.length === 0 ? onlyKey : undefined,
      takesLinks: alertUrl !== undefined,
      ...asComment(toPlainText(withNames(text, names)), author, token),
    }),
  )
}

/** The one card that the message is, or in whose thread it is. */
async function cardAt(
  house: House,
  { asker, place, message }: ShortcutRequest,
): Promise<Card | undefined> {
  const own = mentionedIn(message, house.config.alertUrl).cardIds
  const carried = await Promise.all(own.map((id) => cardTheySee(house, asker, id)))
  return onlyOne(asker, carried) ?? cardInThread(house, asker, place)
}

const spoken = z.object({
  text: z.string().catch(''),
  /** Slack’s ids alone: its client fails on half a character, and nobody has another kind of id. */
  user: slackId.optional().catch(undefined),
  username: z.string().optional().catch(undefined),
  bot_profile: z.object({ name: z.string() }).optional().catch(undefined),
})

/** @returns `text`: with Slack’s markup. `userId`: missing where no account wrote it. `name`: raw, as written there. */
function readMessage(message: unknown) {
  const { text, user, username, bot_profile } = spoken.parse(message)
  // Tools often put all they say into blocks or attachments.
  const said = text.trim() === '' ? textsIn(message).join('\n') : text
  return { text: said, userId: user, name: username ?? bot_profile?.name }
}

/** The comment: with its author’s name if that is somebody else, without tokens, and cut to the longest allowed. */
function asComment(text: string, author: string | undefined, token: string | undefined) {
  const heard = text.trim()
  const said = withoutTokens(heard, token)
  const whole = author === undefined || said === '' ? said : `${cut(author, 80)}: ${said}`
  const isCut = lengthOf(whole) > longestComment
  const beginning = [...whole].slice(0, longestComment - 1).join('')
  const notes: string[] = []
  if (said !== heard) notes.push(maskedNote)
  if (isCut) notes.push(cutNote)
  return { message: isCut ? `${beginning.trimEnd()}…` : whole, notes }
}
