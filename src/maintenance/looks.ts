// Looks at maintenance that Bellhop set, with the account of whoever set it: says that it has begun once a read shows it,
// and says when it is over. Each place hears each news at least once. Follows are channels that get a container’s new
// alerts.
import { whereOthersSee } from '../alert/cards.ts'
import { followsIn, withModesRead } from '../follow/follows.ts'
import type { House } from '../house.ts'
import { SlackError } from '../slack/client.ts'
import type { Posted } from '../slack/outbound/message.ts'
import { takenBy } from '../work/lease.ts'
import type { TakeDue } from '../work/poller.ts'
import {
  isOverdue,
  lookedStep,
  type Maintenance,
  type ModeNews,
  saidLateList,
  saidStep,
  shownStep,
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

async function takeLook(house: House, one: Maintenance): Promise<void> {
  const { storage, assets, tokens, now } = house
  const { maintenances } = storage
  const { workspaceId, by, target, endsAt, saidIn, isShown, saidLate, endedBy } = one
  const owner = { workspaceId, userId: by.userId }
  const token = await tokens.find(owner)
  const reader = token && { owner, token }
  const shown = reader && (await assets.modeNow(reader, target))
  // If nothing could be read, `endedBy` is enough: that person has read that the maintenance is over.
  const mode = typeof shown === 'object' ? shown.mode : endedBy && 'normal'
  const name = await (reader ? nameLearned(house, reader, target) : nameIn(house, owner, target))

  // 1. The maintenance is over. A mode that was just set may still read as normal. So as long as nobody has heard of this
  // maintenance, it counts as over only after its end, or once somebody has ended it. Follows are poked (made due at once)
  // before the document is dropped: so they look even if the process is killed in between.
  const isHeard = isShown || saidIn.length > 0
  if (mode === 'normal' && (isHeard || endedBy !== undefined || now() >= endsAt)) {
    // The end is said only if people have heard of the maintenance.
    if (isHeard) await sayToAll(house, one, 'over', name)
    await pokeFollows(house, one)
    await maintenances.drop(one)
    return
  }

  // 2. A read shows the maintenance for the first time.
  if (mode === 'maintenance' && !isShown && now() < endsAt) {
    await sayInThread(house, one, name)
    await pokeFollows(house, one)
    await maintenances.change(one, shownStep)
    return
  }

  // 3. Neither. A quarter of an hour after the end, those who heard of the maintenance are told: it is still on, or nobody
  // can tell.
  const why = mode === 'maintenance' ? 'still' : 'unknown'
  const isNews = saidLate === undefined || (saidLate === 'unknown' && why === 'still')
  const isSaid = isOverdue(one, now()) && isNews
  if (isSaid) await sayToAll(house, one, why, name)
  if (now() >= endsAt) await pokeFollows(house, one)
  await maintenances.change(one, lookedStep(one, isSaid ? why : saidLate))
}

/** Says that maintenance has begun, in the thread of the card on which it was set, if others read there. */
async function sayInThread(house: House, one: Maintenance, name: string): Promise<void> {
  const { workspaceId, by, cardId, saidIn } = one
  const card = await whereOthersSee(house, { workspaceId, userId: by.userId }, cardId)
  if (card === undefined) return

  const { channelId, ts, threadTs = ts } = card
  // Said here already, by a process that was killed before it stored that the maintenance is shown.
  if (saidIn.some((place) => place.channelId === channelId && place.threadTs === threadTs)) return

  await sayTo(house, one, [{ channelId, ts, threadTs }], 'begun', name)
}

/**
 * Says news wherever it was said that maintenance has begun (follows say so too, so the list is read anew), and to whoever
 * set it. That person hears of the end only if no place does, and if they haven’t just ended the maintenance themself.
 */
async function sayToAll(house: House, one: Maintenance, news: ModeNews, name: string) {
  const { by, endedBy } = one
  const places = (await house.storage.maintenances.find(one))?.saidIn ?? []
  const isTold = news === 'over' && (places.length > 0 || by.userId === endedBy)
  const setter = isTold ? [] : [{ channelId: by.userId, ts: '' }]
  await sayTo(house, one, [...places, ...setter], news, name)
}

/** Says news in those of the places that haven’t heard it yet. @throws Error if Slack may take the message later. */
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
    // If Slack doesn’t say who reads in a channel, the place is tried again in a minute; but once the maintenance is
    // overdue, it is skipped, as the bot may have left that channel.
    if (outsiders === 'unknown' && !isOverdue(one, house.now()))
      throw new Error('Slack doesn’t say who reads in a channel.')
    try {
      if (outsiders === 'none')
        await slack.post(channelId, renderModeNews(news, one, name), threadTs)
    } catch (error) {
      if (!(error instanceof SlackError) || !error.isForGood) throw error
    }
    await storage.maintenances.change(one, saidStep(place, news))
  }
}

const isPerson = (id: string) => /^[UW]/.test(id)

/** Makes the follows of the container look at once: each reads modes with the account it uses, and draws them. */
async function pokeFollows({ storage, poller }: House, one: Maintenance): Promise<void> {
  const { workspaceId, target } = one
  for (const follow of await storage.follows.inList(followsIn(target.container), workspaceId))
    await storage.follows.change(follow, withModesRead)
  poller.wake()
}

/** Number of maintenances that should have ended, as people have been told. */
export async function countLateModes({ storage }: House): Promise<number> {
  return (await storage.maintenances.count(saidLateList)).count
}
