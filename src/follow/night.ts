// Posts the daily message, how the night went: one message for a channel and a time. It has a paragraph for each follow
// whose setting is this time, read with the token of that follow’s carrier. One of these follows posts for all, so two
// processes never both post: the follow with the smallest id among those that somebody reads for. If the process dies after
// the post, before the post is noted, the message comes again: twice rather than never.

import { shortList } from '../alert/open.ts'
import { type Counts, countedMs, countsSince, withBucket } from '../alert/tally.ts'
import { orMonitorError } from '../errors.ts'
import type { House } from '../house.ts'
import { quietIn } from '../maintenance/names.ts'
import type { OpenAlert } from '../monitor/schema.ts'
import { learn } from '../names/names.ts'
import { SlackError } from '../slack/client.ts'
import type { Line } from '../slack/outbound/message.ts'
import type { SlackUser } from '../slack/person.ts'
import { minuteMs } from '../work/durations.ts'
import { returnedBy } from '../work/lease.ts'
import { inTime } from '../work/under-way.ts'
import { type DailyDue, dailyDue, isSameDaily } from './daily.ts'
import { endShared, goOut } from './end.ts'
import { type Follow, isGrave } from './follows.ts'
import { post, tellCarrier, withLease } from './posting.ts'
import { moment, renderNightUnsaid } from './render.ts'
import { type Night, renderNights } from './render-night.ts'

/** How long people’s names are waited for. */
const namesMs = 300

/** Posts the daily message after a look, if it is due and this follow is the one that posts for all. */
export async function sayDaily(house: House, follow: Follow): Promise<void> {
  if (dailyDue(follow.daily, house.now()) === undefined) return

  const taken = await withLease(house, follow)
  const due = dailyDue(taken?.daily, house.now())
  if (taken === undefined) return

  if (due !== undefined) await sayInTurn(house, taken, due)
  await house.storage.follows.change(taken, (one, at) => returnedBy(one, taken, undefined, at))
}

/** Posts the daily message for all follows here with the same time, if it is this follow’s turn to post for all. */
async function sayInTurn(house: House, taken: Follow, due: DailyDue): Promise<void> {
  const { storage, slack } = house
  const { workspaceId, channelId } = taken

  // 1. Finds the follow that posts for all. Follows whose setting has changed, or whose message is posted, are left out.
  const here = await storage.follows.list({ workspaceId, ref: channelId })
  const together = here.filter(
    ({ daily }) => daily && isSameDaily(daily, taken.daily) && daily.last < due.at,
  )
  const isAnothers = together.some(({ id, lostAt }) => lostAt === undefined && id < taken.id)
  if (isAnothers || taken.lostAt !== undefined) return

  // 2. Asks Slack who reads in the channel, and whether the bot is there. If Slack doesn’t say, a later look posts.
  const state = await slack.channels.stateOf(channelId, true)
  if (state?.isShared) return endShared(house, taken)
  if (state?.isMember === false) return goOut(house, taken)
  if (state?.isShared === undefined) return

  // 3. Reads what each follow’s own account sees.
  const nights = await Promise.all(together.map((one) => dailyNight(house, one, due)))

  // 4. Posts one message for all these follows, and stores in each follow when it was told. From then on, counts go to a
  // new bucket, for the next message.
  const told = await tellNights(house, taken, nights)
  for (const follow of told)
    await storage.follows.change(follow, (one, at) => {
      const { daily, tally } = one
      if (daily === undefined || !isSameDaily(daily, taken.daily)) return undefined

      const posted = { ...daily, last: at, againAt: undefined }
      return { ...one, daily: posted, tally: withBucket(tally, { at: at + 1 }) }
    })
}

/**
 * Posts in the channel; if Slack refuses the message for good, tells each carrier so.
 * @returns The follows whose night somebody has heard of now.
 */
async function tellNights(
  house: House,
  taken: Follow,
  nights: readonly Night[],
): Promise<readonly Follow[]> {
  const { config, storage, log, now } = house
  const follows = nights.map(({ follow }) => follow)
  try {
    await post(house, taken, renderNights(config, nights, now(), { isShared: true }))
    return follows
  } catch (error) {
    if (!(error instanceof SlackError)) throw error

    log.failedJob('warn', { err: error }, 'a daily message could not be posted')
    // Slack may have posted it. If each look tried again, the message could come every minute.
    if (error.mayBeDone)
      await storage.follows.change(taken, ({ daily, ...one }, at) =>
        daily ? { ...one, daily: { ...daily, againAt: at + 10 * minuteMs } } : undefined,
      )
    if (error.isChannelLost) await goOut(house, taken)
    if (error.isChannelLost || !error.isForGood) return []

    const told: Follow[] = []
    for (const follow of follows)
      if (await tellCarrier(house, follow, renderNightUnsaid(follow, error.word))) told.push(follow)
    return told
  }
}

/** The paragraph of one follow. */
async function dailyNight(house: House, follow: Follow, { missedAt }: DailyDue): Promise<Night> {
  const { carrier: owner, containerId, lostAt, readAt, daily, tally } = follow
  const now = house.now()
  const since = Math.max(daily?.last ?? now, now - countedMs)

  const token = lostAt === undefined ? await house.tokens.find(owner) : undefined
  const found = token && (await orMonitorError(house.monitor.openAlertsIn(token, containerId)))
  const alerts = found && 'kind' in found && found.kind === 'listed' ? found.alerts : undefined
  const whyUnread: Line = token
    ? ['I can’t read what is open now. Last look: ', moment(readAt), '.']
    : [
        'Nobody’s account has read it since ',
        moment(lostAt ?? readAt),
        '. To change that, press Take over with my account: /alert follows shows it.',
      ]
  const reading = { owner, token, alerts, whyUnread }
  const night = await nightOf(house, follow, reading, since, countsSince(tally, since))
  return { ...night, missedAt }
}

/** Open alerts as somebody’s token shows them; if they can’t be read, `whyUnread` says why. */
interface Reading {
  readonly owner: SlackUser
  readonly token: string | undefined
  readonly alerts: readonly OpenAlert[] | undefined
  readonly whyUnread: Line
}

/** Puts together how the night of a follow went since a moment. */
export async function nightOf(
  house: House,
  follow: Follow,
  { owner, token, alerts, whyUnread }: Reading,
  since: number,
  counts: Counts,
): Promise<Night> {
  const { containerId, least, seen } = follow
  const reader = token && alerts ? { owner, token } : undefined
  const quiet = reader ? await quietIn(house, reader, containerId, 0) : []
  if (reader) await inTime(learn(house, reader, containerId, 'people'), namesMs)

  const meant = (alerts ?? []).filter((alert) => isGrave(alert, least))
  const list = shortList(house, owner, containerId, meant, ({ ks }) => seen[ks]?.asset)
  const isOwned = ({ ownerId }: OpenAlert) => Number(ownerId !== null)
  const sorted = list.alerts.toSorted((one, other) => isOwned(one) - isOwned(other))

  return {
    follow,
    since,
    counts,
    list: { ...list, alerts: sorted },
    whyUnread: alerts === undefined ? whyUnread : undefined,
    quiet: quiet.filter(({ isDisabled }) => !isDisabled),
  }
}
