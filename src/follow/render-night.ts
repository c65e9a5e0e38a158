// Paragraphs on what the night was, one for each follow: in the daily message, and for somebody who asks. Pure.

import { alertRow, type ShortList } from '../alert/render/open-list.ts'
import type { SeverityNames } from '../alert/render/state.ts'
import type { Counts, Tally } from '../alert/tally.ts'
import type { Quiet } from '../maintenance/names.ts'
import { type Names, personNamed } from '../names/names.ts'
import { moreWords, pageOf } from '../slack/outbound/list.ts'
import {
  bold,
  button,
  describe,
  joined,
  type Line,
  type Message,
} from '../slack/outbound/message.ts'
import { limits } from '../slack/text/mrkdwn.ts'
import { minuteMs } from '../work/durations.ts'
import type { Follow } from './follows.ts'
import { quietLines } from './quiet.ts'
import { moment, refusedWords } from './render.ts'

export const shareNightAction = 'follow.share-night'

export interface Night {
  readonly follow: Follow
  /** In milliseconds since 1970, as all times here. */
  readonly since: number
  /** Times of messages that didn’t come. */
  readonly missed: readonly number[]
  readonly counts: Counts
  /** Open alerts, unassigned ones first. A line says why nobody can tell. */
  readonly open: ShortList | { readonly unread: Line }
  /** Names that the reader’s token has shown. */
  readonly people: Names['people']
  readonly quiet: readonly Quiet[]
}

/** More is too much to read at eight. */
const mostRows = 8
/** Rows of all paragraphs together. */
const mostInAll = 12
const mostGaps = 3

/** @param isShared - True in a channel, where it is read long after. @param more - Lines above, and buttons below. */
export function renderNights(
  settings: SeverityNames,
  nights: readonly Night[],
  now: number,
  isShared = true,
  more: { readonly above?: Line | undefined; readonly shareSince?: number | undefined } = {},
): Message {
  const { above, shareSince } = more
  const share =
    shareSince !== undefined && button(shareNightAction, 'Show in channel', String(shareSince))
  const withRows = (most: number): Message =>
    joined([
      describe({ lines: [above] }),
      ...nights.flatMap((night) => paragraphOf(settings, night, now, most, isShared)),
      describe({ buttons: [share] }),
    ])

  // Names and keys may be long, and Slack takes a message of 50 blocks and so many characters.
  let most = Math.max(1, Math.min(mostRows, Math.floor(mostInAll / nights.length)))
  let message = withRows(most)
  while (most > 0 && JSON.stringify(message.blocks).length > limits.messageSize) {
    most -= 1
    message = withRows(most)
  }
  return message
}

/** A carrier’s own paragraph, where their channel takes no messages. @param word - Slack’s. */
export function renderNightApart(
  settings: SeverityNames,
  night: Night,
  { channelId }: Pick<Follow, 'channelId'>,
  word: string,
  now: number,
): Message {
  const channel = { type: 'channel', channel_id: channelId, said: 'the channel' } as const
  const above = ['I can’t post this in ', channel, `: ${refusedWords(word)}.`]
  return renderNights(settings, [night], now, true, { above })
}

function paragraphOf(
  settings: SeverityNames,
  night: Night,
  now: number,
  most: number,
  isShared: boolean,
): readonly Message[] {
  const { follow, since, counts, open, quiet, people } = night
  const { container, containerId } = follow
  const lines = [
    ...untoldLines(night),
    ...quietLines(quiet, follow, now),
    ...('unread' in open ? [open.unread] : []),
  ]
  const counted = countsInWords(counts, people)
  const heading = [bold(`${container} since `), moment(since)]
  const alerts = 'unread' in open ? [] : open.alerts
  const isQuiet = counted === undefined && alerts.length === 0
  if (isQuiet && !('unread' in open))
    return [describe({ lines: [[...heading, ': nothing new, nothing open.'], ...lines] })]

  const page =
    'unread' in open || most === 0
      ? pageOf([], () => describe({}))
      : pageOf(open.alerts, alertRow(settings, open, isShared), 0, most)
  const unassigned = alerts.filter(({ ownerId }) => ownerId === null).length
  const ofThose = unassigned === 0 ? '' : ` · ${unassigned} unassigned`
  const isNone = alerts.length === 0 && !('unread' in open)
  const told = describe({
    lines: [
      heading,
      counted ?? ('unread' in open ? 'Nothing new that I saw.' : 'Nothing new.'),
      ...lines,
      isNone && 'Nothing is open.',
      alerts.length > 0 && [bold(`${alerts.length} still open`), ofThose],
    ].map((line) => line || undefined),
  })
  const rest = moreWords(
    { ...page, all: alerts.length },
    `\`/alert open ${containerId}\` lists them`,
  )

  return [told, ...page.rows, describe({ notes: [rest] })]
}

/** Lines on messages, counts, looks and alerts that are missing. */
function untoldLines({ follow, since, missed }: Night): readonly Line[] {
  const { tally, unsaid } = follow
  const last = missed.at(-1)
  const [what, end] =
    missed.length === 1
      ? ['The message for ', ' didn’t come.']
      : [`${missed.length} messages before this one didn’t come, the last one for `, '.']
  const waiting = unsaid?.alerts ?? 0
  const wait = waiting === 1 ? '1 new alert waits' : `${waiting} new alerts wait`

  const lines: Line[] = []
  if (last !== undefined) lines.push([what, moment(last), end])
  if (tally === undefined) lines.push('I haven’t counted yet what is new.')
  else if (tally.from > since + minuteMs) lines.push(['Counted since ', moment(tally.from), '.'])
  lines.push(...gapLines(tally, since))
  if (waiting > 0) lines.push(`${wait} to be posted here: Slack doesn’t take them now.`)
  return lines
}

function gapLines(tally: Tally | undefined, since: number): readonly Line[] {
  const gaps = (tally?.gaps ?? []).filter(({ to }) => to > since)
  const shown = gaps
    .slice(-mostGaps)
    .map(({ from, to }) => ['I didn’t look from ', moment(from), ' to ', moment(to), '.'])
  const more = gaps.length - shown.length
  const times = more === 1 ? '1 time' : `${more} times`
  return more > 0 ? [`I didn’t look ${times} before that.`, ...shown] : shown
}

/** “14 new, 12 no longer open: 3 closed by Dave Doe, 4 not looked at · flapped once”; undefined where nothing happened. */
function countsInWords(counts: Counts, people: Names['people']): string | undefined {
  const { new: fresh = 0, again = 0, unanswered = 0 } = counts
  const { gone, how } = goneInWords(counts, people)
  const first = fresh === 0 ? 'nothing new' : `${fresh} new`
  const over = gone === 0 ? [] : [`${gone} no longer open: ${how}`]
  const news = fresh + gone === 0 ? [] : [[first, ...over].join(', ')]
  const times = again === 1 ? 'once' : `${again} times`
  const calls = unanswered === 1 ? '1 call' : `${unanswered} calls`
  const words = [
    ...news,
    ...(again > 0 ? [`flapped ${times}`] : []),
    ...(unanswered > 0 ? [`${calls} nobody answered`] : []),
  ].join(' · ')

  return words === '' ? undefined : words.replace(/^[a-z]/, (letter) => letter.toUpperCase())
}

/** Closed is said only of what was read. */
function goneInWords({ gone = 0, closedBy = {}, byItself = 0 }: Counts, people: Names['people']) {
  const byName = new Map<string, number>()
  for (const [id, count] of Object.entries(closedBy)) {
    const name = personNamed({ people }, Number(id)) ?? 'somebody'
    byName.set(name, (byName.get(name) ?? 0) + count)
  }

  const byPeople = [...byName]
    .toSorted(([, one], [, other]) => other - one)
    .map(([name, count], at) => `${count} ${at === 0 ? 'closed by' : 'by'} ${name}`)
  const read = [...byName.values()].reduce((sum, count) => sum + count, byItself)
  // A card may be read a moment before the list is.
  const all = Math.max(gone, read)
  const unread = all - read
  const how = [
    ...byPeople,
    ...(byItself > 0 ? [`${byItself} by ${byItself === 1 ? 'itself' : 'themselves'}`] : []),
    ...(unread > 0 ? [`${unread} not looked at`] : []),
  ]
  return { gone: all, how: how.join(', ') }
}
