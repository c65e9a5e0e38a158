// What comes from Slack's side and has not the shape it should have: forged, broken, or of a Slack that has changed.
// The log gets its kind alone, as what is in it may be a secret, and seldom, as many of them must not fill it.
import type { Log } from '../../log/log.ts'
import type { Clock } from '../ids.ts'

const saidEveryMs = 60_000

/** @param kind - One of few: each is counted by itself. */
export type NoteMisfit = (kind: string) => void

export function createNoteMisfit({ log, now }: { readonly log: Log; readonly now: Clock }): NoteMisfit {
  const counts = new Map<string, { saidAt: number; unsaid: number }>()
  return (kind) => {
    const count = counts.get(kind)
    if (count !== undefined && Math.abs(now() - count.saidAt) < saidEveryMs) {
      count.unsaid += 1
      return
    }
    log.warn({ kind, unsaid: count?.unsaid ?? 0 }, 'a request from Slack could not be read')
    counts.set(kind, { saidAt: now(), unsaid: 0 })
  }
}

const kinds = ['block_suggestion', 'shortcut', 'message_action', 'view_submission', 'view_closed'] as const

/**
 * What Bolt takes a body for; undefined for what it does not know, and would log each time.
 * Source: `getTypeAndConversation` of @slack/bolt.
 */
export function kindOf(body: Readonly<Record<string, unknown>>): string | undefined {
  if (body.event !== undefined) return 'event'
  if (body.command !== undefined) return 'command'
  if (body.name !== undefined) return 'block_suggestion'
  if (body.actions !== undefined || body.type === 'dialog_submission') return 'block_actions'
  return kinds.find((kind) => kind === body.type)
}
