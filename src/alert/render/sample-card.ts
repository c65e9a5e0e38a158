// A card of an alert that is none, as doctor has Slack look at it. Pure.
import type { Message } from '../../slack/outbound/message.ts'
import { type CardSettings, renderCard } from './card.ts'

const asOf = 1_768_521_660
const opened = asOf - 60 * 60

export function sampleCard(settings: CardSettings): Message {
  return renderCard(settings, {
    cardId: 'sample',
    alert: {
      ks: 'sample key',
      message: 'Disk filling',
      severity: 4,
      timestamp: opened,
      lastMessage: 'Disk full',
      lastSeverity: 2,
      lastTimestamp: asOf,
      ownerId: 7,
      closedTimestamp: null,
      actions: [],
    },
    askerName: 'alice',
    asOf,
    isPrivate: false,
    canShare: false,
    live: { names: ['alice'], until: asOf },
  })
}
