// Renders how the night went, a paragraph for each follow: for the daily message, and for `/alert since`. Pure.

import { alertRow, type ShortList } from '../alert/render/open-list.ts'
import type { SeverityNames } from '../alert/render/state.ts'
import type { Counts } from '../alert/tally.ts'
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

/** The night of one follow. Times are milliseconds since 1970. */
export interface Night {
  readonly follow: Follow
  /** When the night began. */
  readonly since: number
  /** Due times of earlier daily messages that didn’t come. */
  readonly missed: readonly number[]
  readonly counts: Counts
  /** Open alerts, unassigned ones first, and the names that the reader’s token has shown. */
  readonly list: ShortList
  /** Says why it isn’t known what is open; undefined if it is. */
  readonly unread: Line | undefined
  /** Machines and containers in maintenance. */
  readonly quiet: readonly Quiet[]
}

/** Most rows of a paragraph: more is too much to read in the morning. */
const mostRows = 8
/** Most rows of all paragraphs together. */
const mostInAll = 12

/**
 * One message with a paragraph for each night.
 * @param how.isShared - True for a message in a channel, where it is still read long after.
 * @param how.shareSince - The moment that the button *Show in channel* carries; without it, there is no button.
 */
export function renderNights(
  settings: SeverityNames,
  nights: readonly Night[],
  now: number,
  how: {
    readonly isShared?: boolean
    readonly above?: Line | undefined
    readonly shareSince?: number | undefined
  } = {},
): Message {
  const { isShared = true, above, shareSince } = how
  const share =
    shareSince !== undefined && button(shareNightAction, 'Show in channel', String(shareSince))
  const withRows = (most: number): Message =>
    joined([
      describe({ lines: [above] }),
      ...nights.flatMap((night) => paragraphOf(settings, night, now, most, isShared)),
      describe({ buttons: [share] }),
    ])

  // Names and keys may be long: rows are left out until Slack takes the message.
  let most = Math.max(1, Math.min(mostRows, Math.floor(mostInAll / nights.length)))
  const sizeOf = ({ blocks }: Message) => JSON.stringify(blocks).length
  while (most > 0 && sizeOf(withRows(most)) > limits.messageSize) most -= 1
  return withRows(most)
}

/** A carrier’s own paragraph, if their channel takes no messages. @param word - Slack’s word for the refusal. */
export function renderNightApart(
  settings: SeverityNames,
  night: Night,
  word: string,
  now: number,
): Message {
  const channel = { type: 'channel', channel_id: night.follow.channelId } as const
  const above = ['I can’t post this in ', channel, `: ${refusedWords(word)}.`]
  return renderNights(settings, [night], now, { above })
}

function paragraphOf(
  settings: SeverityNames,
  night: Night,
  now: number,
  most: number,
  isShared: boolean,
): readonly Message[] {
  const { follow, since, counts, list, unread, quiet } = night
  const { container, containerId } = follow
  const { alerts, people } = list
  const counted = countsInWords(counts, people)
  const isNone = alerts.length === 0 && unread === undefined
  const isQuiet = counted === '' && isNone
  const heading = [bold(`${container} since `), moment(since)]
  const uncounted = unread ? 'Nothing new that I saw.' : 'Nothing new.'
  const unassigned = alerts.filter(({ ownerId }) => ownerId === null).length

  const told = describe({
    lines: [
      isQuiet ? [...heading, ': nothing new, nothing open.'] : heading,
      isQuiet ? undefined : counted || uncounted,
      ...untoldLines(night),
      ...quietLines(quiet, follow, now),
      unread,
      isNone && !isQuiet ? 'Nothing is open.' : undefined,
      alerts.length > 0
        ? [bold(`${alerts.length} still open`), ` · ${unassigned} unassigned`]
        : undefined,
    ],
  })
  const { rows } = pageOf(alerts.slice(0, most), alertRow(settings, list, isShared))
  const left = { rows, begin: 0, end: rows.length, all: alerts.length }
  const rest = moreWords(left, `\`/alert open ${containerId}\` lists them`)

  return [told, ...rows, describe({ notes: [rest] })]
}

/** Lines on what is missing: daily messages that didn’t come, time not counted, time without a look, alerts not posted. */
function untoldLines({ follow: { tally, unsaid }, since, missed }: Night): readonly Line[] {
  const lines: Line[] = []
  const last = missed.at(-1)
  const before = missed.length > 1 ? `, and ${missed.length - 1} before it` : ''
  if (last !== undefined) lines.push(['The message for ', moment(last), ` didn’t come${before}.`])

  const from = tally?.from ?? since
  if (from > since + minuteMs) lines.push(['Counted since ', moment(from), '.'])

  const gaps = tally?.gaps.filter(({ to }) => to > since) ?? []
  const gap = gaps.at(-1)
  const times = gaps.length > 1 ? ` ${gaps.length} times, the last one` : ''
  if (gap)
    lines.push([`I couldn’t look${times} from `, moment(gap.from), ' to ', moment(gap.to), '.'])

  const waiting = unsaid?.alerts ?? 0
  if (waiting > 0) lines.push(`Waiting to be posted here: ${waiting} new.`)
  return lines
}

/** “14 new, 12 no longer open: 3 closed by Dave Doe, 4 not looked at · flapped once”; empty if nothing happened. */
function countsInWords(counts: Counts, people: Names['people']): string {
  const { new: fresh = 0, again = 0, unanswered = 0 } = counts
  const { gone, how } = goneInWords(counts, people)
  const first = fresh === 0 ? 'Nothing new' : `${fresh} new`
  const over = gone === 0 ? '' : `, ${gone} no longer open: ${how}`
  const times = again === 1 ? 'once' : `${again} times`
  const isEmpty = fresh + gone + again + unanswered === 0
  const words = [
    `${first}${over}`,
    again > 0 && `flapped ${times}`,
    unanswered > 0 && `${unanswered} ${unanswered === 1 ? 'call' : 'calls'} nobody answered`,
  ]
  return isEmpty ? '' : words.filter(Boolean).join(' · ')
}

/** Words for alerts that are gone. “Closed” is said only of alerts that were read; the others are “not looked at”. */
function goneInWords({ gone = 0, closedBy = {}, byItself = 0 }: Counts, people: Names['people']) {
  const byName = new Map<string, number>()
  for (const [id, count] of Object.entries(closedBy)) {
    const name = personNamed({ people }, Number(id)) ?? 'somebody'
    byName.set(name, (byName.get(name) ?? 0) + count)
  }

  const read = [...byName.values()].reduce((sum, count) => sum + count, byItself)
  // An alert may be read as closed while the list still has it for a moment: then more are read than gone.
  const all = Math.max(gone, read)
  const how = [
    ...[...byName]
      .toSorted(([, one], [, other]) => other - one)
      .map(([name, count], at) => `${count} ${at === 0 ? 'closed ' : ''}by ${name}`),
    byItself > 0 && `${byItself} by ${byItself === 1 ? 'itself' : 'themselves'}`,
    all > read && `${all - read} not looked at`,
  ]
  return { gone: all, how: how.filter(Boolean).join(', ') }
}
