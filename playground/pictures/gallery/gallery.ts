// The whole gallery, in the order in which it is read.
import { forms, verdicts } from './acts.ts'
import { asking as askingForAlerts, cards, threads, watching } from './alerts.ts'
import { approvals } from './approvals.ts'
import { account, elsewhere, home } from './bellhop.ts'
import type { Entry, Room } from './entry.ts'
import { asking as askingForGrants, receipts } from './grants.ts'

export const rooms: readonly Room[] = [
  { title: 'Asking for an alert', entries: askingForAlerts },
  { title: 'Cards', entries: cards },
  { title: 'Threads', entries: threads },
  { title: 'Watching', entries: watching },
  { title: 'Acting on an alert', entries: [...forms, ...verdicts] },
  { title: 'Granting access', entries: askingForGrants },
  { title: 'Receipts', entries: receipts },
  { title: 'Approvals', entries: approvals },
  { title: 'Your account', entries: account },
  { title: 'Home', entries: home },
  { title: 'Everywhere', entries: elsewhere },
]

export const entries: readonly Entry[] = rooms.flatMap((room) => room.entries)
