// Shows somebody an alert: reads it with their own token, and sends its card where they asked, to them alone, or to the
// channel that they share it in.
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { type Resumed, withToken } from '../account/connect-first.ts'
import { MonitorError, UserError } from '../errors.ts'
import type { House } from '../house.ts'
import { lookSoon } from '../live/look.ts'
import type { Alert } from '../monitor/schema.ts'
import { noNames } from '../names/names.ts'
import type { From } from '../slack/guard/requests.ts'
import type { SlackUser } from '../slack/ids.ts'
import type { Landed, Place, Story } from '../slack/outbound/delivery.ts'
import { cut } from '../slack/text/mrkdwn.ts'
import { whenSlow } from '../work/under-way.ts'
import { namesAtFirst } from './card-names.ts'
import { type Card, readerIdOf } from './cards.ts'
import type { Lookup } from './input.ts'
import { type AlertLink, holdsKey } from './link.ts'
import { type CardView, renderCard, renderInOneMessage } from './render/card.ts'
import { renderHistory } from './render/history.ts'
import { type AnswerGoes, renderStillAsking } from './render/no-card.ts'
import { isClosed } from './render/state.ts'
import { marksOf } from './thread.ts'

/**
 * Reads an alert for somebody who asked for it, and has it written down that they did.
 * @throws OwnToken when the key holds the asker's own token; MonitorError when the service does not give the alert.
 */
export async function readForAsker(
  { monitor, audit }: House,
  { workspaceId, userId }: SlackUser,
  token: string,
  ks: string,
): Promise<Alert> {
  // A key stands in an address, in the service's own log, and in the trail; and a token must not.
  if (ks.includes(token)) throw new OwnToken()
  try {
    const alert = await monitor.readAlert(token, ks)
    audit.lookedUp({ workspaceId, userId, ks, outcome: 'done' })
    return alert
  } catch (error) {
    if (error instanceof MonitorError) {
      audit.lookedUp({ workspaceId, userId, ks, outcome: `not-done:${error.code}` })
    }
    throw error
  }
}

/** To somebody who presses what would read it: a line that is typed hears it from `refuseToken`. Raw. */
const ownToken =
  'That’s your own API token, not an alert key, so nothing was looked up. If others may have seen it, revoke it in monitoring and connect a new one.'

/** Thrown where the key that is to be read holds the asker's own token. */
export class OwnToken extends UserError {
  constructor() {
    super(ownToken)
  }
}

/**
 * Waits for what the service is asked on behalf of somebody. When it takes long they hear so once, alone, where they
 * asked.
 */
export async function sayingWhenSlow<T>(
  { slowMs, slack, log }: House,
  { place }: From,
  { ks, answer }: { readonly ks: string; readonly answer: AnswerGoes },
  read: Promise<T>,
): Promise<T> {
  return whenSlow(read, slowMs, () =>
    slack.privately(place, renderStillAsking(ks, answer)).catch((error: unknown) => {
      log.warn({ err: error }, 'nobody could be told that the service takes its time')
    }),
  )
}

export interface Shown {
  readonly alert: Alert
  readonly card: Card
  /** When it was true, in Unix seconds. */
  readonly asOf: number
  /** Of a card that only its asker is to see. */
  readonly readerId: number | undefined
}

interface Showing {
  readonly ks: string
  readonly isPrivate: boolean
  /** Where it was asked. */
  readonly channelId: string | undefined
  /** Where the answer will be, for somebody who waits for it. */
  readonly answer: AnswerGoes
}

const longestTitle = 200

/**
 * Reads an alert with the asker's token and keeps the card that will carry it. Every new card is made here; previews, the
 * history's modal and *Refresh* need none. How the card reaches anybody is not known here.
 * @throws MonitorError when the service does not give the alert.
 */
async function makeCard(
  house: House,
  from: From,
  token: string,
  { ks, isPrivate, channelId, answer }: Showing,
): Promise<Shown> {
  const { workspaceId, userId, name } = from.asker
  const alert = await sayingWhenSlow(house, from, { ks, answer }, readForAsker(house, from.asker, token, ks))
  const link = await knownLink(house, from.asker, alert)
  const card: Card = {
    id: randomUUID(),
    workspaceId,
    // As it was asked, which the service takes; shown is the key as the service writes it.
    ks,
    title: cut(alert.lastMessage.replaceAll(/\s+/g, ' ').trim() || alert.ks, longestTitle),
    asker: { workspaceId, userId },
    askerName: name,
    channelId,
    isPrivate,
    layout: 'thread',
    at: house.now(),
    told: marksOf(alert),
    posted: undefined,
    link,
    names: await namesAtFirst(house, from.asker, token, { alert, link }, { isPrivate, channelId }),
  }
  await house.storage.cards.insert(() => card)
  if (isClosed(alert)) lookSoon(house, workspaceId, alert, { ks, but: card.id })
  const readerId = await readerIdOf(house, card, alert)
  return { alert, card, asOf: Math.floor(house.now() / 1000), readerId }
}

/** The alert's web link where the asker's own token has shown it, and the key alone does not build it. */
async function knownLink(
  { config: { alertUrl }, storage }: House,
  { workspaceId, userId }: SlackUser,
  { ks }: Alert,
): Promise<AlertLink | undefined> {
  if (alertUrl === undefined || holdsKey(alertUrl)) return undefined
  return storage.alertLinks.linkTo({ workspaceId, userId }, ks)
}

export async function showWhereAsked(
  house: House,
  { asker, place }: From,
  token: string,
  { ks, isPrivate }: Omit<Lookup, 'isWatched'>,
): Promise<Shown> {
  // Sharing into a direct message makes no sense: whoever asked there sees it already.
  const channelId = place.isDirect ? undefined : place.channelId
  const showing = { ks, isPrivate, channelId, answer: 'here' } as const
  const shown = await makeCard(house, { asker, place }, token, showing)
  const to = isPrivate ? 'asker' : 'channel'
  return deliver(house, shown, (story) => house.slack.tell(place, story, to))
}

/** Shows an alert in the asker's direct message with the bot. */
export async function showDirectly(house: House, from: From, token: string, ks: string): Promise<Shown> {
  const { asker } = from
  const answer = from.place.isDirect && from.place.responseUrl === undefined ? 'here' : 'directly'
  const showing = { ks, isPrivate: true, channelId: undefined, answer } as const
  const shown = await makeCard(house, from, token, showing)
  const place: Place = {
    workspaceId: asker.workspaceId,
    userId: asker.userId,
    channelId: undefined,
    responseUrl: undefined,
    isDirect: true,
  }
  return deliver(house, shown, (story) => house.slack.tell(place, story, 'asker'))
}

/**
 * Sends a new card, and keeps how it was delivered.
 * @returns The same, with the card as it was delivered.
 */
async function deliver(house: House, shown: Shown, send: (story: Story) => Promise<Landed>): Promise<Shown> {
  const { config, storage, turns } = house
  const { card, alert } = shown
  const story: Story = {
    card: (isPrivate) => renderCard(config, viewOf(shown, isPrivate)),
    history: () => renderHistory(card.id, alert.actions, card.names ?? noNames),
    inOneMessage: ({ isPrivate, note }) => renderInOneMessage(config, viewOf(shown, isPrivate), note),
  }
  // In its turn, as whatever is pressed on it comes after.
  return turns(`card ${card.id}`, async () => {
    const landed = await send(story)
    const { layout, isPrivate } = landed
    const posted = landed.layout === 'thread' ? landed.posted : undefined
    const isTold = landed.layout !== 'thread' || landed.isHistoryTold
    // The next Refresh, or look at a live card, brings all of it into the thread.
    const told = isTold ? card.told : marksOf(alert, [])
    const kept = await storage.cards.change(card, (one) => ({ ...one, layout, isPrivate, posted, told }))
    return { ...shown, card: kept ?? card }
  })
}

function viewOf({ alert, card, asOf, readerId }: Shown, isPrivate: boolean): CardView {
  return {
    cardId: card.id,
    alert,
    askerName: card.askerName,
    asOf,
    isPrivate,
    canShare: card.channelId !== undefined,
    readerId,
    link: card.link,
    names: card.names,
  }
}

/** Reads a private card's alert anew and posts it in the channel where it was asked. */
export async function shareCard(house: House, from: From, cardId: string): Promise<void> {
  const { asker, place } = from
  const { workspaceId } = asker
  const private_ = await house.storage.cards.find({ workspaceId, id: cardId })
  if (private_ === undefined) throw new UserError('This card is too old to share. Use /alert again.')
  const { ks, channelId, asker: owner } = private_
  if (owner.userId !== asker.userId || channelId === undefined) return
  const wanted = { feature: 'share', ask: { cardId } } as const
  await withToken(house, from, wanted, async (token) => {
    const showing = { ks, isPrivate: false, channelId, answer: 'here' } as const
    const shown = await makeCard(house, from, token, showing)
    await deliver(house, shown, (story) => house.slack.share(place, channelId, story))
  })
}

/** What waits for an account about a card, and nothing else. */
export const ofCard = z.object({ cardId: z.string() })

export function resumeShare(house: House, from: From, { ask }: Resumed): Promise<void> {
  return shareCard(house, from, ofCard.parse(ask).cardId)
}
