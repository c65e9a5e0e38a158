// *Add as comment* in a message’s menu: opens the form with what the message says. Bellhop reads the message because
// somebody chose that; it goes to monitoring when they submit the form.
import { randomUUID } from 'node:crypto'
import { type Card, maySee } from '../alert/cards.ts'
import { mentionedIn } from '../alert/keys-in-message.ts'
import type { MessageRequest } from '../slack/guard/requests.ts'
import type { SlackUser } from '../slack/ids.ts'
import { namelessIn } from '../slack/text/typed.ts'
import { actState } from './forms.ts'
import { asComment, plainTextOf, readSpoken, type Spoken } from './message-text.ts'
import { type CommentPrefill, commentModal, readingModal } from './render/forms.ts'
import type { ActRoom } from './room.ts'
import { namesOf } from './text.ts'

export async function openAddAsComment(room: ActRoom, request: MessageRequest): Promise<void> {
  const { asker, place, triggerId, message } = request
  const card = await cardAt(room, request)
  const { alertUrl } = room.alert.settings
  const [onlyKey, ...others] = card === undefined ? mentionedIn(message, alertUrl).keys : []
  const about = card === undefined ? ({ asksKey: true } as const) : { cardId: card.id }
  const form: Omit<CommentPrefill, 'message' | 'isCut' | 'isMasked'> = {
    state: actState(randomUUID(), place, about),
    headline: card?.title,
    typedKey: others.length === 0 ? onlyKey : undefined,
    takesLinks: alertUrl !== undefined,
  }
  const said = readSpoken(message)
  const slack = room.alert.outbound.in(asker.workspaceId)
  const isOwn = said.userId === asker.userId
  const token = await room.account.tokens.find(asker)
  const unnamed = [...namelessIn(said.text), ...(isOwn || said.userId === undefined ? [] : [said.userId])]
  if (unnamed.length === 0) {
    const text = commentOf(said, { isOwn, names: new Map(), token })
    return void (await slack.openView(triggerId, commentModal({ ...form, ...text })))
  }
  // What opens a form works for three seconds, and Slack may take its time to say who somebody is.
  const viewId = await slack.openView(triggerId, readingModal())
  const names = await namesOf(room, asker, [...new Set(unnamed)])
  const text = commentOf(said, { isOwn, names, token })
  await slack.updateView(viewId, commentModal({ ...form, ...text }))
}

interface Hearing {
  readonly isOwn: boolean
  readonly names: ReadonlyMap<string, string>
  /** Of whoever reads it. */
  readonly token: string | undefined
}

function commentOf({ text, userId, name }: Spoken, { isOwn, names, token }: Hearing) {
  const author = isOwn ? undefined : ((userId === undefined ? undefined : names.get(userId)) ?? name)
  return asComment(plainTextOf(text, names), author, token)
}

/** The one card that the message is, or in whose thread it stands. */
async function cardAt(
  { alert }: ActRoom,
  { asker, place, message }: MessageRequest,
): Promise<Card | undefined> {
  const { workspaceId } = asker
  const own = mentionedIn(message, alert.settings.alertUrl).cardIds
  const carried = await Promise.all(own.map((id) => alert.cards.find(workspaceId, id)))
  const { channelId, threadTs } = place
  const inThread =
    channelId === undefined || threadTs === undefined
      ? []
      : await alert.cards.inThread(workspaceId, channelId, threadTs)
  const root = inThread.filter(({ posted }) => posted?.ts === threadTs)
  return onlyOne(asker, carried) ?? onlyOne(asker, root) ?? onlyOne(asker, inThread)
}

/** Where several are about different alerts, nobody knows which one is meant. */
function onlyOne(asker: SlackUser, cards: readonly (Card | undefined)[]): Card | undefined {
  const seen = cards.flatMap((card) => (card !== undefined && maySee(asker, card) ? [card] : []))
  return new Set(seen.map(({ ks }) => ks)).size === 1 ? seen.at(-1) : undefined
}
