// Posts the daily message, how the night went: one for a channel and a time, with a paragraph for each follow that is set
// to this time, read with the token of that follow’s carrier. Of these follows, one posts for all, in its own look: that
// with the smallest id for which somebody reads. So two processes never both post. If the process dies after the post,
// before the post is noted, the message comes again: twice rather than never.

import { shortList } from '../alert/open.ts'
import { type Counts, countedMs, countsSince, toldAt } from '../alert/tally.ts'
import { orMonitorError } from '../errors.ts'
import type { House } from '../house.ts'
import { quietIn } from '../maintenance/names.ts'
import { gravestFirst, type OpenAlert } from '../monitor/schema.ts'
import { learn } from '../names/names.ts'
import { SlackError } from '../slack/client.ts'
import type { Line } from '../slack/outbound/message.ts'
import type { SlackUser } from '../slack/person.ts'
import { minuteMs } from '../work/durations.ts'
import { inTime } from '../work/under-way.ts'
import { type DailyDue, dailyDue, isSameDaily } from './daily.ts'
import { endShared, goOut } from './end.ts'
import { type Follow, isGrave } from './follows.ts'
import { post, tellCarrier, withLease } from './posting.ts'
import { moment } from './render.ts'
import { type Night, renderNightApart, renderNights } from './render-night.ts'

/** The look that posts the daily message: it has just read the open alerts, and told the news. */
interface JustLooked {
  readonly listed: readonly OpenAlert[]
  /** The stored follow with the findings of this look added: so what cards have counted meanwhile stays. */
  after(stored: Follow): Follow
  readonly failure: SlackError | undefined
}

/** How long other follows’ reads may take: so the post behind them comes within the lease. */
const readMs = 8_000
/** How long people’s names are waited for. */
const namesMs = 300

/**
 * Posts the daily message, if it is due and this look is the one to do so.
 * @param looked - Undefined if the service gave no answer.
 * @returns `ended`: the follow is over, or the bot is out of the channel. `told`: the follow’s paragraph is.
 */
export async function sayDaily(
  house: House,
  taken: Follow,
  looked?: JustLooked,
): Promise<'ended' | 'told' | undefined> {
  const { storage, slack, now } = house
  const due = dailyDue(taken.daily, now())
  const isHeldUp = looked?.failure?.isForGood === false
  if (due === undefined || isHeldUp) return undefined

  // 1. Renews the lease, as reads of a service that fails take long: so no other process posts meanwhile.
  if ((await withLease(house, taken)) === undefined) return undefined

  // 2. Finds the follow that posts for all. Follows whose setting has changed, or whose message is posted, are left out.
  const { workspaceId, channelId } = taken
  const here = await storage.follows.list({ workspaceId, ref: channelId })
  const together = here.filter(
    ({ daily }) => daily && isSameDaily(daily, taken.daily) && daily.last < due.at,
  )
  const read = together.filter(({ lostAt }) => lostAt === undefined)
  const [first] = read.toSorted((one, other) => (one.id < other.id ? -1 : 1))
  if (first?.id !== taken.id) return undefined

  // 3. Asks Slack who reads in the channel, and whether the bot is there. If Slack doesn’t say, a later look posts.
  const state = await slack.channels.stateOf(channelId, true)
  if (state?.isShared === undefined && state?.isMember !== false) return undefined
  if (state.isShared || !state.isMember) {
    await (state.isShared ? endShared : goOut)(house, taken)
    return 'ended'
  }

  // 4. Reads what each follow’s own account sees.
  const nights = await Promise.all(
    together.map((one) =>
      one.id === taken.id
        ? dailyNight(house, looked?.after(one) ?? one, due, async () => looked?.listed)
        : dailyNight(house, one, due, (token) => listNow(house, one, token)),
    ),
  )

  // 5. Posts one message for all these follows, and stores with each that it is told.
  const told = await tellNights(house, taken, nights)
  if (told === 'ended') return told

  for (const one of told)
    await storage.follows.change(one, ({ daily, tally, ...stored }, at) =>
      daily && isSameDaily(daily, one.daily)
        ? {
            ...stored,
            daily: { ...daily, last: due.at, againAt: undefined },
            tally: tally && toldAt(tally, at),
          }
        : undefined,
    )
  return told.some(({ id }) => id === taken.id) ? 'told' : undefined
}

async function listNow({ monitor }: House, { containerId }: Follow, token: string) {
  const found = await inTime(orMonitorError(monitor.openAlertsIn(token, containerId)), readMs)
  return found && 'kind' in found && found.kind === 'listed' ? found.alerts : undefined
}

/**
 * Posts in the channel; if Slack refuses the message for good, tells each carrier the paragraph of their own follow alone.
 * @returns Follows that are told now; `ended` if the bot is out of the channel.
 */
async function tellNights(
  house: House,
  taken: Follow,
  nights: readonly Night[],
): Promise<readonly Follow[] | 'ended'> {
  const { config, storage, log, now } = house
  try {
    await post(house, taken, renderNights(config, nights, now()))
    return nights.map(({ follow }) => follow)
  } catch (error) {
    if (!(error instanceof SlackError)) throw error

    log.failedJob('warn', { err: error }, 'a daily message could not be posted')
    if (error.isChannelLost) {
      await goOut(house, taken)
      return 'ended'
    }

    // Slack may have posted it: tried again in each look, the message could come each minute.
    if (error.mayBeDone)
      await storage.follows.change(
        taken,
        ({ daily, ...one }, at) =>
          daily && { ...one, daily: { ...daily, againAt: later(daily, at) } },
      )
    if (!error.isForGood) return []

    const told: Follow[] = []
    for (const night of nights) {
      const message = renderNightApart(config, night, error.word ?? '', now())
      if (await tellCarrier(house, night.follow, message)) told.push(night.follow)
    }
    return told
  }
}

/** Time of the next try: two minutes from now; once the message is later than that, in as long as it is late already. */
function later(daily: NonNullable<Follow['daily']>, now: number): number {
  const lateMs = now - (dailyDue({ ...daily, againAt: 0 }, now)?.at ?? now)
  return now + Math.max(2 * minuteMs, lateMs)
}

/**
 * The paragraph of one follow.
 * @param list - Reads the open alerts; gives undefined if they can’t be read now.
 */
async function dailyNight(
  house: House,
  follow: Follow,
  { at, missed }: DailyDue,
  list: (token: string) => Promise<readonly OpenAlert[] | undefined>,
): Promise<Night> {
  const { carrier: owner, lostAt, readAt, daily, tally } = follow
  const since = Math.max(daily?.last ?? at, at - countedMs)
  const counts = tally ? countsSince(tally, Math.max(since, tally.toldAt ?? 0)) : {}

  const token = lostAt === undefined ? await house.tokens.find(owner) : undefined
  const alerts = token && (await list(token))
  const unread: Line = token
    ? ['I can’t read what is open now. Last look: ', moment(readAt), '.']
    : [
        'Nobody’s account has read it since ',
        moment(lostAt ?? readAt),
        '. To change that, press Take over with my account: /alert follows shows it.',
      ]
  return nightOf(
    house,
    follow,
    { owner, token, alerts: alerts || undefined, unread },
    {
      since,
      missed,
      counts,
    },
  )
}

/** Open alerts as somebody’s token shows them; if there is no such reading, `unread` says why. */
interface Reading {
  readonly owner: SlackUser
  readonly token: string | undefined
  readonly alerts: readonly OpenAlert[] | undefined
  readonly unread: Line
}

/** Puts together how the night went, as somebody’s token shows it. */
export async function nightOf(
  house: House,
  follow: Follow,
  { owner, token, alerts, unread }: Reading,
  told: { readonly since: number; readonly missed: readonly number[]; readonly counts: Counts },
): Promise<Night> {
  const { containerId, least, seen } = follow
  const reader = token && alerts ? { owner, token } : undefined
  const quiet = reader ? await quietIn(house, reader, containerId, 0) : []
  if (reader) await inTime(learn(house, reader, containerId, 'people'), namesMs)

  const known = new Map(Object.entries(seen))
  const meant = (alerts ?? []).filter((alert) => isGrave(alert, least))
  const list = shortList(house, owner, containerId, meant, ({ ks }) => known.get(ks)?.asset)
  const isOwned = ({ ownerId }: OpenAlert) => Number(ownerId !== null)
  const sorted = meant.toSorted(
    (one, other) => isOwned(one) - isOwned(other) || gravestFirst(one, other),
  )

  return {
    ...told,
    follow,
    list: { ...list, alerts: sorted },
    unread: alerts === undefined ? unread : undefined,
    quiet: quiet.filter(({ isDisabled }) => !isDisabled),
  }
}
