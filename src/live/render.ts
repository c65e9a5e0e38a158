// Draws messages about watches: the last words in a thread, confirmations, lists. Pure.
import type { CardSettings } from '../alert/render/card.ts'
import { closedMark, isClosed, standingWords } from '../alert/render/state.ts'
import { moreButton, pageOf, type Row, renderPage, sectionRow } from '../slack/outbound/list.ts'
import { button, describe, type Message, sayMarked } from '../slack/outbound/message.ts'
import { isDirectId } from '../slack/person.ts'
import { cut, date, escapeText, linkTo, richDateWithin, seconds } from '../slack/text/mrkdwn.ts'
import type { CardShown, Ended, LiveCard, Watcher } from './live-cards.ts'

export const watchDirectlyAction = 'watch.start-directly'
export const stopListedAction = 'watch.stop-listed'
export const moreWatchesAction = 'watch.more'

/** Words behind “Stopped updating”. Names are raw. */
const reasons: Readonly<Record<Ended, (name: string, hours: number) => string>> = {
  refused: (name) => `: monitoring no longer accepts ${name}’s token.`,
  forbidden: (name) => `: ${name} can no longer see this alert.`,
  disconnected: (name) => `: ${name} is no longer connected.`,
  gone: () => ': I couldn’t reach the card.',
  shared: () => ': people of another organisation may read in this channel now.',
  lifetime: (_, hours) =>
    ` after ${hours} hour${hours === 1 ? '' : 's'}. Press Watch to keep it live.`,
  stopped: (name) => `: ${name} pressed Stop watching.`,
}

/** The last words in the thread, raw. @param hours - How long a watch lasts. */
export function endingWords({ name, why = 'lifetime' }: Watcher, hours: number): string {
  return `Stopped updating${reasons[why](name, hours)}`
}

export const missingWords = 'Stopped updating: monitoring no longer has this alert.'

/** Said once in the thread of a card whose alert is closed. Raw. */
export const closedWords = `${closedMark} The card will stop updating unless the alert opens again within 15 minutes.`

/** Said once in the thread of a card whose alert cannot be read for some time. Raw. */
export const unreadWords =
  'I can’t read this alert in monitoring right now, so the card may be out of date. It updates again as soon as monitoring answers.'

/** The alert’s message on one line, or else its key. Raw. */
export function alertName(ks: string, { alert }: CardShown): string {
  const message = alert.lastMessage.replaceAll(/\s+/g, ' ').trim()
  return cut(message || ks, 80)
}

/** Tells a watcher directly why they no longer watch. Raw. */
export function unwatchedWords(
  name: string,
  ks: string,
  why: 'gone' | 'forbidden' | 'refused',
): string {
  const reasons = {
    gone: `its card is gone, or I can no longer post there. To watch it elsewhere, type /alert ${cut(ks, 300)} watch.`,
    forbidden:
      'your token lacks API or READ on its container, and it needs both. Somebody with CONTAINER_ACCESS there can add what’s missing.',
    refused:
      'monitoring no longer accepts your token. Connect your account again to keep watching.',
  }
  return `You’re no longer watching “${name}”: ${reasons[why]}`
}

/** Offers a live card in direct messages, if the bot cannot change a card in this conversation. */
export function renderOffer(cardId: string): Message {
  const why =
    'I’m not a member here, so I can’t update a card. In a channel, invite me with /invite @Bellhop and ask again, or press Watch to get a live card in your direct messages with me.'
  return describe({ lines: [why], buttons: [button(watchDirectlyAction, 'Watch', cardId)] })
}

/**
 * Confirms a watch that the pressed card doesn’t show: the live card is another one, or they watched it already.
 * @param link - Of the live card, if Slack has told it.
 */
export function renderWatching(
  cardId: string,
  until: number,
  where: 'here' | 'in your direct messages with me',
  link: string | undefined,
): Message {
  const there = link === undefined ? where : ({ type: 'link', url: link, text: where } as const)
  const ends = richDateWithin(seconds(until))
  return describe({
    lines: [['This alert is live ', there, '. You’re watching it until ', ends, '.']],
    buttons: [button(stopListedAction, 'Stop watching', cardId)],
  })
}

/** One of somebody's watches, for the list. */
export interface ListedWatch
  extends Pick<LiveCard, 'id' | 'ks' | 'posted' | 'shown' | 'mayReopenUntil'> {
  readonly until: number
  readonly link: string | undefined
}

/** The gravest alert first; closed alerts last. */
export function worstFirst(watches: readonly ListedWatch[]): readonly ListedWatch[] {
  const level = ({ shown: { alert } }: ListedWatch) =>
    isClosed(alert) ? Number.MAX_SAFE_INTEGER : alert.lastSeverity
  return watches.toSorted((one, other) => level(one) - level(other))
}

/** @param after - How many are on the pages before. */
export function renderWatches(
  settings: CardSettings,
  all: readonly ListedWatch[],
  after = 0,
): Message {
  const none =
    'You aren’t watching any alerts. Press *Watch* on a card, or type `/alert &lt;key&gt; watch`.'
  if (all.length === 0) return sayMarked(none)

  const page = pageOf(worstFirst(all), watchRow(settings), after)
  const { rows, begin, end } = page
  const part = rows.length === all.length ? '.' : `, worst first: ${begin + 1} to ${end}`
  const title = `You’re watching ${all.length === 1 ? '1 alert' : `${all.length} alerts`}${part}`

  return renderPage(page, title, { buttons: [moreButton(page, moreWatchesAction)] })
}

export function watchRow(settings: CardSettings): (watch: ListedWatch) => Row {
  return (watch) => {
    const { id, ks, posted, shown, mayReopenUntil, link } = watch
    const { alert } = shown
    const name = alertName(ks, shown)
    const stands = isClosed(alert) ? 'closed' : alert.lastSeverity
    const until = stands === 'closed' ? mayReopenUntil : watch.until
    const unless = stands === 'closed' ? ' unless it opens again' : ''
    const facts = [
      isDirectId(posted.channelId) ? 'in your messages with me' : `in <#${posted.channelId}>`,
      ...(name === ks ? [] : [`\`${escapeText(cut(ks, 30)).replaceAll('`', '')}\``]),
      ...(until === undefined ? [] : [`until ${date(Math.floor(until / 1000))}${unless}`]),
    ]
    const linked = link === undefined ? escapeText(name) : linkTo(link, name)
    const words = escapeText(standingWords(settings, stands))

    return sectionRow(
      `${words} · ${linked}\n${facts.join(' · ')}`,
      button(stopListedAction, 'Stop watching', id),
    )
  }
}
