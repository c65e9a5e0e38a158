// Looks at maintenance that was set from Slack, with the account of the person who set it. Says that it has begun once a
// read shows it, and later that it is over. Each place hears each news at least once. A follow is a channel that gets a
// container’s new alerts.
import { whereOthersSee } from '../alert/cards.ts'
import { followsIn, withModesRead } from '../follow/follows.ts'
import type { House } from '../house.ts'
import { orRefusal } from '../slack/client.ts'
import type { Posted } from '../slack/outbound/message.ts'
import { takenBy } from '../work/lease.ts'
import type { TakeDue } from '../work/poller.ts'
import {
  isOverdue,
  lateList,
  lookedStep,
  type Maintenance,
  type ModeNews,
  saidStep,
} from './maintenance.ts'
import { nameIn, nameLearned } from './names.ts'
import { renderModeNews } from './render.ts'

/** A process that has been looking at one maintenance for longer than this is taken for dead. */
const leaseMs = 60_000

export const takeMaintenances: TakeDue = async (house, most) => {
  const due = await house.storage.maintenances.takeDue(
    (one, now) => takenBy(one, house.poller.owner, leaseMs, now),
    most,
  )
  return due.map((one) => () => lookAt(house, one))
}

/** Never rejects: what fails is tried again once the lease is over. */
async function lookAt(house: House, one: Maintenance): Promise<void> {
  try {
    await takeLook(house, one)
  } catch (error) {
    house.log.failedJob(
      'error',
      { err: error, maintenance: one.id },
      'maintenance could not be looked at; trying again',
    )
  }
}

/** Looks once, with the token of whoever set it, whether maintenance is on or over, and says what is new, in steps 1 to 3. */
async function takeLook(house: House, one: Maintenance): Promise<void> {
  const { storage, assets, tokens, now } = house
  const { maintenances } = storage
  const { workspaceId, by, target, endsAt, saidIn, isShown } = one
  const owner = { workspaceId, userId: by.userId }
  const token = await tokens.find(owner)
  const reader = token && { owner, token }
  const shown = reader && (await assets.modeNow(reader, target))
  const mode = typeof shown === 'object' ? shown.mode : undefined
  const name = await (reader ? nameLearned(house, reader, target) : nameIn(house, owner, target))

  // 1. Over. But a mode that was just set may still read as normal: before its end, maintenance is over only if a read has
  // shown it once. Follows are made due before the document is dropped, so that they look even if this process is killed.
  const isHeard = isShown || saidIn.length > 0
  if (mode === 'normal' && (isHeard || now() >= endsAt)) {
    if (isHeard) await sayToAll(house, one, 'over', name)
    await pokeFollows(house, one)
    await maintenances.drop(one)
    return
  }

  // 2. On, before its end: said once.
  const isBegun = mode === 'maintenance' && !isShown && now() < endsAt
  if (isBegun) await sayInThread(house, one, name)

  // 3. On, or unknown, a quarter of an hour after its end: said once.
  const isLate = isOverdue(one, now())
  const lateNews = mode === 'maintenance' ? 'still' : 'unknown'
  if (isLate && !one.isLate) await sayToAll(house, one, lateNews, name)

  if (isBegun || now() >= endsAt) await pokeFollows(house, one)
  await maintenances.change(one, lookedStep(one, { isShown: isShown || isBegun, isLate }))
}

/** Says in the thread of the card on which maintenance was set that it has begun, unless its setter alone sees that card. */
async function sayInThread(house: House, one: Maintenance, name: string): Promise<void> {
  const { workspaceId, by, cardId } = one
  const card = await whereOthersSee(house, { workspaceId, userId: by.userId }, cardId)
  if (card === undefined) return

  const { channelId, ts, threadTs = ts } = card
  await sayTo(house, one, [{ channelId, ts, threadTs }], 'begun', name)
}

/**
 * Says news in all places where the beginning was said, and to the person who set the maintenance. That person hears of the
 * end only if it came by itself, and no place hears of it.
 */
async function sayToAll(house: House, one: Maintenance, news: ModeNews, name: string) {
  // Follows have said the beginning too, perhaps since this look began.
  const places = (await house.storage.maintenances.find(one))?.saidIn ?? []
  const isEarly = house.now() < one.endsAt
  const isTold = news === 'over' && (places.length > 0 || isEarly)
  const setter = isTold ? [] : [{ channelId: one.by.userId, ts: '' }]
  await sayTo(house, one, [...places, ...setter], news, name)
}

/** Says news in each place that hasn’t heard it yet. @throws Error if a message has to be tried again. */
async function sayTo(
  house: House,
  one: Maintenance,
  places: readonly (Posted & { readonly said?: ModeNews })[],
  news: ModeNews,
  name: string,
): Promise<void> {
  const { slack, storage } = house
  for (const place of places) {
    const { channelId, threadTs, said } = place
    if (said === news) continue

    const outsiders = isPerson(channelId) ? 'none' : await slack.channels.outsiders(channelId)
    // Slack may fail to say who reads in a channel: all this is tried again in a minute. Once the maintenance is overdue,
    // the channel is skipped instead: the bot may have left it.
    if (outsiders === 'unknown' && !isOverdue(one, house.now()))
      throw new Error('Slack doesn’t say who reads in a channel.')

    if (outsiders === 'none')
      await orRefusal(slack.post(channelId, renderModeNews(news, one, name), threadTs))
    await storage.maintenances.change(one, saidStep(place, news))
  }
}

const isPerson = (id: string) => /^[UW]/.test(id)

/** Makes the follows of the container look at once: each reads what is in maintenance there, and shows it. */
async function pokeFollows({ storage, poller }: House, one: Maintenance): Promise<void> {
  const { workspaceId, target } = one
  for (const follow of await storage.follows.inList(followsIn(target.container), workspaceId))
    await storage.follows.change(follow, withModesRead)
  poller.wake()
}

/** Number of maintenances with `isLate`: they should have ended, and people have been told. */
export async function countLateModes({ storage }: House): Promise<number> {
  return (await storage.maintenances.count(lateList)).count
}
