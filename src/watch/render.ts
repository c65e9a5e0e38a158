// Messages about watches. Pure.
import type { KnownBlock } from '@slack/types'
import type { Ending } from '../alert/cards.ts'
import { closing } from '../alert/render/action-words.ts'
import type { CardSettings } from '../alert/render/card.ts'
import { glance } from '../alert/render/state.ts'
import type { Alert } from '../monitor/schema.ts'
import { type Message, say, sayMarked } from '../slack/outbound/message.ts'
import { cut, date, escapeText, linkTo, mrkdwn, plain } from '../slack/text/mrkdwn.ts'
import type { CardShown, Ended } from './watches.ts'

/** Action ids of the buttons in here, for the listeners. */
export const watchDirectlyAction = 'watch.start-directly'
export const stopListedAction = 'watch.stop-listed'

/** Why a card ceases to be live. */
export type EndOfCard =
  | { readonly kind: 'closed'; readonly alert: Alert }
  | { readonly kind: 'missing' }
  /** The last who watched it does so no more. @property name - Theirs. */
  | { readonly kind: 'left'; readonly name: string; readonly why: Ended }

/** The last words in the thread, raw: what has to be said in any case, and what an action in the same reply says too. */
export function endingWords(end: EndOfCard): Pick<Ending, 'words' | 'by'> {
  switch (end.kind) {
    case 'closed': {
      const by = closing(end.alert.actions) ?? 'closed'
      return { by: `${by[0]?.toUpperCase()}${by.slice(1)}.`, words: 'This card is no longer live.' }
    }
    case 'missing':
      return { words: 'No longer live: the monitoring service has no such alert any more.' }
    case 'left':
      return { words: `No longer live: ${leaving(end.name, end.why)}` }
  }
}

/** Once in the thread of a card whose alert cannot be read for some time. Raw. */
export const unreadWords =
  'Bellhop can’t read this alert in monitoring right now, so the card may be out of date. It updates again as soon as monitoring answers.'

function leaving(name: string, why: Ended): string {
  switch (why.kind) {
    case 'refused':
      return `the monitoring service no longer accepts the token of ${name}.`
    case 'forbidden':
      return `${name} may no longer see this alert.`
    case 'disconnected':
      return `${name} is not connected any more.`
    case 'gone':
      return 'its card was out of reach.'
    case 'shared':
      return 'this channel is shared with another organisation.'
    case 'lifetime':
      return 'its time is over. Press Watch on the card to go on.'
    case 'stopped':
      return `${why.by} stopped it.`
  }
}

/** The alert in a few words, raw. */
export function nameOf(ks: string, shown: CardShown | undefined): string {
  const message = shown?.alert.lastMessage.replaceAll(/\s+/g, ' ').trim()
  return cut(message || ks, 80)
}

/** To a watcher, directly: their token shows the alert no more. */
export function renderNotAllowed(name: string): Message {
  return say(
    `You no longer watch “${name}”: your token lacks API+READ on its container. Somebody with CONTAINER_ACCESS there can add what is missing.`,
  )
}

/** To a watcher, directly: the card is out of reach. */
export function renderGone(name: string, ks: string): Message {
  const key = /[\s"“”„]/.test(ks) ? `"${ks}"` : ks
  const again = `\`/alert ${escapeText(cut(key, 300)).replaceAll('`', '')} watch\``
  return sayMarked(
    `You no longer watch “${escapeText(name)}”: its card is gone, or Bellhop may not write there any more. To watch it elsewhere: ${again}`,
  )
}

/** To a watcher, directly, above *Connect account*. Raw. */
export function refusedWatchWords(name: string): string {
  return `You no longer watch “${name}”: the monitoring service no longer accepts your token. Connect your account again to go on watching.`
}

/** Where the bot cannot change its card. @param isDirect - Nobody can be invited there. */
export function renderOffer(cardId: string, isDirect: boolean): Message {
  const text = isDirect
    ? 'Bellhop is not part of this conversation, so a card cannot stay live here. Press *Watch* to have it live in your direct messages with Bellhop.'
    : 'Bellhop is not in this channel, so a card cannot stay live here. Invite it with `/invite @Bellhop` and ask again, or press *Watch* to have it live in your direct messages with Bellhop.'
  return {
    text,
    blocks: [
      { type: 'section', text: mrkdwn(text) },
      {
        type: 'actions',
        elements: [{ type: 'button', action_id: watchDirectlyAction, text: plain('Watch'), value: cardId }],
      },
    ],
  }
}

/** @param link - Of the card, when Slack has told where it is. */
export function renderWatchedDirectly(link: string | undefined): Message {
  const where = 'your direct messages with Bellhop'
  return sayMarked(`The card is live in ${link === undefined ? where : linkTo(link, where)}.`)
}

/** @param hours - From now on. */
export function renderExtended(hours: number): Message {
  return say(
    `You watch this already. It stays live for ${hours === 1 ? 'another hour' : `another ${hours} hours`}.`,
  )
}

/** One of somebody's watches, for the list. */
export interface ListedWatch {
  readonly cardId: string
  readonly ks: string
  readonly until: number
  readonly shown: CardShown | undefined
  readonly link: string | undefined
}

/** Somebody's own watches, oldest first. */
export function renderWatches(settings: CardSettings, watches: readonly ListedWatch[]): Message {
  if (watches.length === 0) {
    return sayMarked('You watch nothing. Press *Watch* on a card, or type `/alert &lt;key&gt; watch`.')
  }
  const title = watches.length === 1 ? 'You watch 1 alert.' : `You watch ${watches.length} alerts.`
  return {
    text: title,
    blocks: [
      { type: 'section', text: mrkdwn(`*${title}*`) },
      ...watches.map((watch) => listed(settings, watch)),
    ],
  }
}

function listed(settings: CardSettings, { cardId, ks, until, shown, link }: ListedWatch): KnownBlock {
  const name = nameOf(ks, shown)
  const time = date(Math.floor(until / 1000))
  const facts =
    shown === undefined ? `Until ${time}` : `${escapeText(glance(settings, shown.alert))} · until ${time}`
  const linked = link === undefined ? escapeText(name) : linkTo(link, name)
  return {
    type: 'section',
    text: mrkdwn(`${linked}\n${facts}`),
    accessory: { type: 'button', action_id: stopListedAction, text: plain('Stop watching'), value: cardId },
  }
}
