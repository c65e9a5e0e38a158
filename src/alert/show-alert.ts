// Shows an alert: reads it with the asker's token and remembers the card that will carry it.
// Every surface comes through here. It must not know how the card reaches anybody.
import { randomUUID } from 'node:crypto'
import type { Alert } from '../monitor/schema.ts'
import type { Clock, Person } from '../slack/ids.ts'
import { cut } from '../slack/text/mrkdwn.ts'
import type { Card, Cards } from './cards.ts'
import type { ReadAlert } from './read-alert.ts'
import { allTold } from './told.ts'

export interface Shown {
  readonly alert: Alert
  readonly card: Card
  /** When it was true, in Unix seconds. */
  readonly asOf: number
}

export interface Showing {
  readonly ks: string
  readonly isPrivate: boolean
  /** Where it was asked. */
  readonly channelId: string | undefined
  /** Asks the service even when it was asked a moment ago. */
  readonly isFresh: boolean
  /** The card's id, when it must be known before. Default: a new one. */
  readonly id?: string | undefined
}

const longestTitle = 200

/** @throws MonitorError when the service does not give the alert. */
export type ShowAlert = (asker: Person, token: string, showing: Showing) => Promise<Shown>

export function createShowAlert(room: {
  readonly readAlert: ReadAlert
  readonly cards: Cards
  readonly now: Clock
}): ShowAlert {
  return async (asker, token, { ks, isPrivate, channelId, isFresh, id }) => {
    const alert = await room.readAlert(asker, token, ks, { isFresh })
    const { workspaceId, userId, name } = asker
    const card: Card = {
      id: id ?? randomUUID(),
      workspaceId,
      // As it was asked, which the service takes; shown is the key as the service writes it.
      ks,
      title: cut(alert.lastMessage.replaceAll(/\s+/g, ' ').trim() || alert.ks, longestTitle),
      asker: { workspaceId, userId },
      askerName: name,
      channelId,
      isPrivate,
      form: 'thread',
      told: allTold(alert.actions),
      version: 0,
      posted: undefined,
      reply: undefined,
    }
    await room.cards.keep(card)
    return { alert, card, asOf: Math.floor(room.now() / 1000) }
  }
}
