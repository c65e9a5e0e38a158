// *Add as comment* in a message’s menu: opens the form with what the message says, without Slack’s markup, which
// monitoring would show as it stands. Bellhop reads the message because somebody chose that; it goes to monitoring when
// they submit the form.
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { type Card, maySee, threadRef } from '../alert/cards.ts'
import { mentionedIn, textsIn } from '../alert/keys-in-message.ts'
import type { House } from '../house.ts'
import type { MessageRequest } from '../slack/guard/requests.ts'
import { type SlackUser, slackId } from '../slack/ids.ts'
import { cut, unescapeText } from '../slack/text/mrkdwn.ts'
import { namelessIn } from '../slack/text/typed.ts'
import { actState } from './forms.ts'
import { type CommentPrefill, commentModal, readingModal } from './render/forms.ts'
import { namesOf } from './text.ts'
import { lengthOf, longestComment, withoutTokens } from './text-rules.ts'

export async function openAddAsComment(house: House, request: MessageRequest): Promise<void> {
  const { asker, place, triggerId, message } = request
  const { slack } = house
  const { alertUrl } = house.config
  const card = await cardAt(house, request)
  const [onlyKey, ...others] = card === undefined ? mentionedIn(message, alertUrl).keys : []
  const about = card === undefined ? ({ asksKey: true } as const) : { cardId: card.id }
  const form: Omit<CommentPrefill, 'message' | 'isCut' | 'isMasked'> = {
    state: actState(randomUUID(), place, about),
    headline: card?.title,
    typedKey: others.length === 0 ? onlyKey : undefined,
    takesLinks: alertUrl !== undefined,
  }
  const said = readSpoken(message)
  const isOwn = said.userId === asker.userId
  const token = await house.tokens.find(asker)
  const unnamed = [...namelessIn(said.text), ...(isOwn || said.userId === undefined ? [] : [said.userId])]
  if (unnamed.length === 0) {
    const text = commentOf(said, { isOwn, names: new Map(), token })
    return void (await slack.openView(triggerId, commentModal({ ...form, ...text })))
  }
  // What opens a form works for three seconds, and Slack may take its time to say who somebody is.
  const viewId = await slack.openView(triggerId, readingModal())
  const names = await namesOf(house, [...new Set(unnamed)])
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
  { storage: { cards }, config: { alertUrl } }: House,
  { asker, place, message }: MessageRequest,
): Promise<Card | undefined> {
  const { workspaceId } = asker
  const own = mentionedIn(message, alertUrl).cardIds
  const carried = await Promise.all(own.map((id) => cards.find({ workspaceId, id })))
  const { channelId, threadTs } = place
  const inThread =
    channelId === undefined || threadTs === undefined
      ? []
      : await cards.list({ workspaceId, ref: threadRef(channelId, threadTs) })
  const root = inThread.filter(({ posted }) => posted?.ts === threadTs)
  return onlyOne(asker, carried) ?? onlyOne(asker, root) ?? onlyOne(asker, inThread)
}

/** Where several are about different alerts, nobody knows which one is meant. */
function onlyOne(asker: SlackUser, cards: readonly (Card | undefined)[]): Card | undefined {
  const seen = cards.flatMap((card) => (card !== undefined && maySee(asker, card) ? [card] : []))
  return new Set(seen.map(({ ks }) => ks)).size === 1 ? seen.at(-1) : undefined
}

const spoken = z.object({
  text: z.string().catch(''),
  /** Slack’s client can’t ask for half a letter, and nobody has another kind of id. */
  user: slackId.optional().catch(undefined),
  username: z.string().optional().catch(undefined),
  bot_profile: z
    .object({ name: z.string().optional().catch(undefined) })
    .optional()
    .catch(undefined),
})

/** What somebody, or something, said in Slack. */
export interface Spoken {
  /** As Slack has it: escaped, with its markup. */
  readonly text: string
  /** Undefined where no account of Slack’s wrote it. */
  readonly userId: string | undefined
  /** As the message itself calls its author; people’s are asked of Slack. Raw. */
  readonly name: string | undefined
}

/** More is not read: it would not fit into a comment however much of it is markup. */
const mostRead = 4_000

export function readSpoken(message: unknown): Spoken {
  const { text, user, username, bot_profile } = spoken.parse(message)
  // Tools often put all they say into blocks or attachments.
  const said = text.trim() === '' ? textsIn(message).join('\n') : text
  return { text: beginningOf(said), userId: user, name: username ?? bot_profile?.name }
}

/** No token is longer. */
const longestToken = 600

/** Of a word that is cut in two nobody could tell whether it is a token, so that it ends with a whole one. */
function beginningOf(said: string): string {
  if (said.length <= mostRead) return said
  const sure = mostRead - longestToken
  const unsure = said.slice(sure, mostRead)
  const end = Math.max(unsure.lastIndexOf(' '), unsure.lastIndexOf('\n'), 0)
  return said.slice(0, sure + end)
}

/** `<https://a|b>`, `<@U1|dave>`, `<#C1|general>`, `<!date^…|fallback>`. */
const markup = /^<([^<>|]+)(?:\|([^<>]*))?>$/

/**
 * What people read of it: links by their address, people and channels by name where one is known, and left out where not.
 * Emoji keep their codes.
 * @param names - Of people, raw, by their id.
 * @returns Raw.
 */
export function plainTextOf(text: string, names: ReadonlyMap<string, string>): string {
  // Slack escapes what is no markup of its own, so this is undone last, and once.
  return text
    .split(/(<[^<>]*>)/)
    .map((part) => {
      const [, target, label = ''] = markup.exec(part) ?? []
      return target === undefined ? unescapeText(part) : wordsFor(target, unescapeText(label), names)
    })
    .join('')
}

/** Empty for what has no words. @param label - Raw. */
function wordsFor(target: string, label: string, names: ReadonlyMap<string, string>): string {
  const rest = target.slice(1)
  switch (target[0]) {
    case '@': {
      const name = names.get(rest) ?? label
      return name === '' ? '' : `@${name}`
    }
    case '#':
      return label === '' ? '' : `#${label}`
    case '!':
      if (label !== '') return label
      return /^(?:here|channel|everyone)$/.test(rest) ? `@${rest}` : ''
    default:
      return unescapeText(target.replace(/^(?:mailto|tel):/i, ''))
  }
}

/** The text of a comment, and how it differs from what was said. */
interface CommentText {
  /** Raw. */
  readonly message: string
  /** It is the beginning of a longer one. */
  readonly isCut: boolean
  /** A token was left out. */
  readonly isMasked: boolean
}

/**
 * As a comment begins: with its author’s name where that is somebody else, without any token, and no longer than one may
 * be.
 * @param token - Of whoever reads it.
 */
export function asComment(text: string, author: string | undefined, token: string | undefined): CommentText {
  // What was left out leaves its spaces behind.
  const heard = text.replaceAll(/ {2,}/g, ' ').trim()
  const said = withoutTokens(heard, token)
  const isMasked = said !== heard
  const whole = author === undefined || said === '' ? said : `${cut(author, 80)}: ${said}`
  if (lengthOf(whole) <= longestComment) return { message: whole, isCut: false, isMasked }
  const beginning = [...whole].slice(0, longestComment - 1).join('')
  return { message: `${beginning.trimEnd()}…`, isCut: true, isMasked }
}
