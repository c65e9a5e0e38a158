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
import { minuteMs } from '../work/durations.ts'
import type { Follow } from './follows.ts'
import { quietLines } from './quiet.ts'
import { moment } from './render.ts'

export const shareNightAction = 'follow.share-night'

/** The night of one follow. Times are milliseconds since 1970. */
export interface Night {
  readonly follow: Follow
  /** When the night began. */
  readonly since: number
  /** The due time of the daily message before this one, if it didn’t come. */
  readonly missedAt?: number | undefined
  readonly counts: Counts
  /** Open alerts, unassigned ones first, and the names that the reader’s token has shown. */
  readonly list: ShortList
  /** The reason why nobody can say now what is open; undefined if it is known. */
  readonly whyUnread: Line | undefined
  /** Machines and containers in maintenance. */
  readonly quiet: readonly Quiet[]
}

/** Most rows of a paragraph: more is too much to read in the morning. */
const mostRows = 8
/** Most rows of all paragraphs together. */
const mostInAll = 12

/**
 * One message with a paragraph for each follow.
 * @param how.isShared - True for a message in a channel, where people still read it long after.
 * @param how.shareSince - The moment that the button *Show in channel* carries; without it, there is no button.
 */
export function renderNights(
  settings: SeverityNames,
  nights: readonly Night[],
  now: number,
  how: { readonly isShared: boolean; readonly shareSince?: number | undefined },
): Message {
  const { isShared, shareSince } = how
  const most = Math.max(1, Math.min(mostRows, Math.floor(mostInAll / nights.length)))
  const share =
    shareSince !== undefined && button(shareNightAction, 'Show in channel', String(shareSince))
  return joined([
    ...nights.flatMap((night) => paragraphOf(settings, night, now, most, isShared)),
    describe({ buttons: [share] }),
  ])
}

/**
 * One follow’s paragraph: a heading and counts, the open alerts, and a note if there are more. “Nothing is open” is said
 * only if the list could be read.
 */
function paragraphOf(
  settings: SeverityNames,
  night: Night,
  now: number,
  most: number,
  isShared: boolean,
): readonly Message[] {
  const { follow, since, counts, list, whyUnread, quiet } = night
  const { container, containerId } = follow
  const { alerts, people } = list
  const counted = countsInWords(counts, people)
  const isNoneOpen = alerts.length === 0 && whyUnread === undefined
  const isQuiet = counted === '' && isNoneOpen
  const heading = [bold(`${container} since `), moment(since)]
  const nothingNew = whyUnread ? 'Nothing new that I saw.' : 'Nothing new.'
  const unassigned = alerts.filter(({ ownerId }) => ownerId === null).length

  const told = describe({
    lines: [
      isQuiet ? [...heading, ': nothing new, nothing open.'] : heading,
      isQuiet ? undefined : counted || nothingNew,
      ...untoldLines(night),
      ...quietLines(quiet, follow, now),
      whyUnread,
      isNoneOpen && !isQuiet ? 'Nothing is open.' : undefined,
      alerts.length > 0
        ? [bold(`${alerts.length} still open`), ` · ${unassigned} unassigned`]
        : undefined,
    ],
  })
  const page = pageOf(alerts, alertRow(settings, list, isShared), 0, most)
  const rest = moreWords(page, `\`/alert open ${containerId}\` lists them`)

  return [told, ...page.rows, describe({ notes: [rest] })]
}

/** Lines on what is missing: daily messages that didn’t come, time not counted, time without a look, alerts not posted. */
function untoldLines({ follow: { tally, unsaid }, since, missedAt }: Night) {
  const isLate = tally.from > since + minuteMs
  const gaps = tally.gaps.filter(({ to }) => to > since)
  return [
    missedAt === undefined ? undefined : ['The message for ', moment(missedAt), ' didn’t come.'],
    isLate ? ['Counted since ', moment(tally.from), '.'] : undefined,
    ...gaps.map(({ from, to }) => ['I couldn’t look from ', moment(from), ' to ', moment(to), '.']),
    unsaid?.alerts ? `Waiting to be posted here: ${unsaid.alerts} new.` : undefined,
  ]
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
  // An alert may be read as closed while the list still has it for a moment. Then `read` is greater than `gone`.
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
