// The daily message: one for a channel and a time, with a paragraph for each follow that has it, each read with its own
// carrier’s token. Of those follows, the one with the smallest id that somebody reads posts for all, in its own look: so two
// processes never both post. Killed before that is noted, it comes again: twice rather than never.

import { shortList } from '../alert/open.ts'
import { countedMs, countsSince, type Tally } from '../alert/tally.ts'
import { orMonitorError } from '../errors.ts'
import type { House } from '../house.ts'
import { unconfirmedMs } from '../live/live-cards.ts'
import { quietIn } from '../maintenance/names.ts'
import { gravestFirst, type OpenAlert } from '../monitor/schema.ts'
import { learn } from '../names/names.ts'
import { SlackError } from '../slack/client.ts'
import type { Line } from '../slack/outbound/message.ts'
import type { Account } from '../slack/person.ts'
import { inTime } from '../work/under-way.ts'
import { type DailyDue, dailyDue, isSameDaily } from './daily.ts'
import { endShared, goOut, tellCarrier } from './end.ts'
import { type AfterLook, type Follow, isGrave } from './follows.ts'
import { post } from './posting.ts'
import { moment } from './render.ts'
import { type Night, renderNightApart, renderNights } from './render-night.ts'

/** A look that has just read and told; its counts aren’t kept yet. */
interface JustLooked {
  readonly listed: readonly OpenAlert[]
  readonly found: Pick<AfterLook, 'seen' | 'unsaid'>
  readonly tallied: (tally: Tally | undefined, now: number) => Tally
  readonly failure: SlackError | undefined
}

/** Less than is left of a lease, with a post behind it. */
const readMs = 8_000
const namesMs = 300

/**
 * Posts the daily message, if it is due and this look is the one to do so.
 * @param looked - Undefined where the service gave no answer.
 * @returns `kept`: the look’s counts are stored; `ended`: the follow is over, or out.
 */
export async function sayDaily(
  house: House,
  taken: Follow,
  looked?: JustLooked,
): Promise<'ended' | 'kept' | undefined> {
  const { storage, slack, poller, now } = house
  const { workspaceId, channelId } = taken
  const due = dailyDue(taken.daily, now())
  const isRefused = looked?.failure !== undefined && !looked.failure.isForGood
  if (due === undefined || isRefused) return undefined

  // 1. The follow that posts for all: one whose setting has changed meanwhile isn’t among them.
  const here = await storage.follows.list({ workspaceId, ref: channelId })
  const together = here.filter((one) => isToTell(one, taken, due))
  const [first] = together
    .filter(({ lostAt }) => lostAt === undefined)
    .toSorted((one, other) => (one.id < other.id ? -1 : 1))
  const isMine = first?.id === taken.id && first.holder === poller.owner
  if (!isMine || first.heldUntil <= now()) return undefined

  // 2. Who reads there.
  const state = await slack.channels.stateOf(channelId)
  if (state?.isShared === undefined) return undefined
  if (state.isShared || !state.isMember) {
    await (state.isShared ? endShared : goOut)(house, taken)
    return 'ended'
  }

  // 3. Each follow as its own account sees it.
  const nights = await Promise.all(
    together.map(async (one) => {
      const mine = one.id === taken.id
      const follow = mine && looked ? afterwards(one, looked, now()) : one
      const night = await dailyNight(house, follow, due, mine ? (looked?.listed ?? 'away') : 'ask')
      return { one, night }
    }),
  )

  // 4. One message; or, where the channel takes none, each carrier’s own paragraph to them alone.
  const told = await tellNights(house, taken, nights)
  if (told === 'ended') return told

  // 5. The note that it is told, for all of them: the next look of another finds nothing to do.
  for (const one of told)
    await storage.follows.change(one, (stored, at) => {
      if (stored.daily === undefined || !isSameDaily(stored.daily, one.daily)) return undefined

      const isMine = one.id === taken.id
      const tally = isMine && looked ? looked.tallied(stored.tally, at) : stored.tally
      const daily = { ...stored.daily, last: due.at, unconfirmed: undefined }
      return { ...stored, daily, tally: tally && { ...tally, toldAt: at } }
    })

  return told.some(({ id }) => id === taken.id) ? 'kept' : undefined
}

function isToTell({ daily }: Follow, taken: Follow, { at }: DailyDue): boolean {
  return daily !== undefined && isSameDaily(daily, taken.daily) && Math.min(daily.last, at) < at
}

function afterwards(follow: Follow, { found, tallied }: JustLooked, now: number): Follow {
  return {
    ...follow,
    seen: Object.fromEntries(found.seen),
    unsaid: found.unsaid,
    tally: tallied(follow.tally, now),
  }
}

interface Told {
  readonly one: Follow
  readonly night: Night
}

/** @returns Follows that are told now. */
async function tellNights(
  house: House,
  taken: Follow,
  nights: readonly Told[],
): Promise<readonly Follow[] | 'ended'> {
  const { config, storage, log, now } = house
  const all = nights.map(({ night }) => night)
  try {
    await post(house, taken, renderNights(config, all, now()))
    return nights.map(({ one }) => one)
  } catch (error) {
    if (!(error instanceof SlackError)) throw error

    log.failedJob('warn', { err: error }, 'a daily message could not be posted')
    if (error.isChannelLost) {
      await goOut(house, taken)
      return 'ended'
    }

    if (error.isForGood) return tellApart(house, nights, error.word ?? '')

    // Slack may have it: asked again and again, it could come each minute.
    if (error.mayBeDone)
      await storage.follows.change(taken, (one, at) => {
        const tries = (one.daily?.unconfirmed?.tries ?? 0) + 1
        const unconfirmed = { tries, againAt: at + unconfirmedMs(tries) }
        return one.daily && { ...one, daily: { ...one.daily, unconfirmed } }
      })
    return []
  }
}

async function tellApart(house: House, nights: readonly Told[], word: string) {
  const told: Follow[] = []
  for (const { one, night } of nights) {
    const message = renderNightApart(house.config, night, one, word, house.now())
    if (await tellCarrier(house, one, message)) told.push(one)
  }
  return told
}

/** @param read - Its list, just read; `ask`: it is still to be read; `away`: the service gives none. */
async function dailyNight(
  house: House,
  follow: Follow,
  { at, missed }: DailyDue,
  read: readonly OpenAlert[] | 'ask' | 'away',
): Promise<Night> {
  const { tokens } = house
  const { carrier, containerId, lostAt, readAt, daily, tally } = follow
  const last = daily?.last ?? at
  const since = Math.max(last, at - countedMs)
  const times = {
    since,
    missed: missed.filter((one) => one > since),
    counts: tally ? countsSince(tally, Math.max(since, tally.toldAt ?? 0)) : {},
  }

  const token = lostAt === undefined ? await tokens.find(carrier) : undefined
  if (lostAt !== undefined || token === undefined) {
    const unread: Line = [
      'Nobody’s account reads it since ',
      moment(lostAt ?? readAt),
      '. To change that, press Take over with my account: /alert follows shows it.',
    ]
    return nightOf(house, follow, { owner: carrier, token }, undefined, { ...times, unread })
  }

  const unread: Line = ['I can’t read what is open now. I last could ', moment(readAt), '.']
  const alerts = read === 'ask' ? await listNow(house, token, containerId) : read
  const listed = alerts === 'away' ? undefined : alerts
  return nightOf(house, follow, { owner: carrier, token }, listed, { ...times, unread })
}

async function listNow({ monitor }: House, token: string, containerId: number) {
  const asked = orMonitorError(monitor.openAlertsIn(token, containerId))
  const found = await inTime(asked, readMs)
  const isListed = found !== undefined && 'kind' in found && found.kind === 'listed'
  return isListed ? found.alerts : undefined
}

/**
 * Puts together what the night was, as somebody’s token shows it.
 * @param alerts - Undefined where they can’t be read.
 */
export async function nightOf(
  house: House,
  follow: Follow,
  { owner, token }: Pick<Account, 'owner'> & { readonly token: string | undefined },
  alerts: readonly OpenAlert[] | undefined,
  { unread, ...times }: Pick<Night, 'since' | 'missed' | 'counts'> & { readonly unread: Line },
): Promise<Night> {
  const { containerId, least, seen } = follow
  const reader = token !== undefined && alerts !== undefined ? { owner, token } : undefined
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
    ...times,
    follow,
    open: alerts === undefined ? { unread } : { ...list, alerts: sorted },
    people: list.people,
    quiet: quiet.filter(({ isDisabled }) => !isDisabled),
  }
}
