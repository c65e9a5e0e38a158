// *Add as comment* in a message’s menu: opens the form with that message, without its markup, which monitoring would show
// raw.
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { type Card, cardInThread, cardTheySee, onlyOne } from '../alert/cards.ts'
import { mentionedIn, textsIn } from '../alert/keys-in-message.ts'
import type { House } from '../house.ts'
import type { ShortcutRequest } from '../slack/guard/requests.ts'
import { type SlackUser, slackId } from '../slack/person.ts'
import { toPlainText, withNames } from '../slack/text/markup.ts'
import { inTime } from '../work/under-way.ts'
import { namedIn } from './act.ts'
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

/** Longest wait for people’s names: the trigger that opens the form works for three seconds. */
const namesMs = 1_500

export async function openAddAsComment(house: House, request: ShortcutRequest): Promise<void> {
  const { asker, place, triggerId, message } = request
  const { alertUrl } = house.config
  const card = await cardAt(house, request)
  const onCard = card && intentOn(card, null, { act: 'comment' })
  if (onCard !== undefined && (await hearsOfLack(house, request, onCard))) return

  const intent =
    onCard ??
    ({
      act: 'comment',
      id: randomUUID(),
      message: '',
    } as const)
  const [onlyKey, ...others] = card === undefined ? mentionedIn(message, alertUrl).keys : []

  const said = saidIn(message, asker)
  const named = (await inTime(namedIn(house, said), namesMs)) ?? withNames(said, new Map())

  const form = {
    act: 'comment',
    state: formState(place, intent),
    headline: card?.title,
    typedKey: others.length === 0 ? onlyKey : undefined,
    takesLinks: alertUrl !== undefined,
    ...asComment(toPlainText(named), await house.tokens.find(asker)),
  } as const
  await house.slack.openView(triggerId, actModal(form))
}

/**
 * The card that the message is, or in whose thread the message is; undefined if there is none, or cards of different
 * alerts.
 */
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
  /** The author’s Slack id; undefined if it doesn’t look like one, as Slack’s client can’t send every text. */
  user: slackId.optional().catch(undefined),
  username: z.string().optional().catch(undefined),
  bot_profile: z.object({ name: z.string() }).optional().catch(undefined),
})

/** A message’s text with Slack’s markup, behind its author’s name unless the asker wrote it. */
function saidIn(message: unknown, asker: SlackUser): string {
  const { text, user, username, bot_profile } = spoken.parse(message)
  // Tools often leave the text empty, and say it all in blocks or attachments.
  const said = text.trim() === '' ? textsIn(message).join('\n') : text
  const author = username ?? bot_profile?.name ?? (user && `<@${user}>`)
  const isNamed = author !== undefined && user !== asker.userId && said.trim() !== ''
  return isNamed ? `${author}: ${said}` : said
}

/** The comment: without tokens, and cut to the longest allowed. */
function asComment(text: string, token: string | undefined) {
  const heard = text.trim()
  const message = withoutTokens(heard, token)
  const notes = message === heard ? [] : [maskedNote]
  if (lengthOf(message) <= longestComment) return { message, notes }

  const beginning = [...message].slice(0, longestComment - 1).join('')
  return {
    message: `${beginning.trimEnd()}…`,
    notes: [...notes, cutNote],
  }
}
