// A payload of Slack's on its way in, by HTTP or by socket: handed to Bolt, or noted as one that cannot be read.
import type { App } from '@slack/bolt'
import type { Log } from '../../log/log.ts'
import type { Clock } from '../ids.ts'

export interface Incoming {
  readonly body: Readonly<Record<string, unknown>>
  /** Undefined where it is no number. */
  readonly retryNum: number | undefined
  readonly retryReason: string | undefined
  /** @param content - Undefined, text, or what becomes JSON. */
  readonly ack: (content: unknown) => Promise<void>
}

/**
 * `handled`: a listener had it, or there is none for it. `held-back`: it tells that Slack passes on no more events for
 * now. `unreadable`: noted.
 */
export type IntakeResult = 'handled' | 'held-back' | 'unreadable'

export interface Intake {
  init(app: App): void
  /** Never rejects. */
  take(incoming: Incoming): Promise<IntakeResult>
  /** Notes what cannot even be taken. */
  readonly note: NoteMisfit
  /** When the last event came; in milliseconds since 1970, undefined when none did since the start. */
  lastEventAt(): number | undefined
  /** When Slack said last that it holds back events; as `lastEventAt`. */
  heldBackAt(): number | undefined
}

export function createIntake({ log, now }: { readonly log: Log; readonly now: Clock }): Intake {
  const note = createNoteMisfit({ log, now })
  let app: App | undefined
  let lastEventAt: number | undefined
  let heldBackAt: number | undefined

  return {
    init(boltApp) {
      app = boltApp
    },
    note,
    lastEventAt: () => lastEventAt,
    heldBackAt: () => heldBackAt,
    async take({ body, retryNum, retryReason, ack }) {
      // Source: docs.slack.dev/reference/events/app_rate_limited. It is no event, and has none in it.
      if (body.type === 'app_rate_limited') {
        heldBackAt = now()
        log.warn({ workspaceId: wordOf(body.team_id) }, heldBack)
        return 'held-back'
      }
      const kind = kindOf(body)
      if (kind === undefined) {
        note('unknown')
        return 'unreadable'
      }
      if (body.type === 'event_callback') lastEventAt = now()
      try {
        await app?.processEvent({
          body,
          ack,
          ...(retryNum === undefined ? {} : { retryNum }),
          ...(retryReason === undefined ? {} : { retryReason }),
        })
        return 'handled'
      } catch {
        // Bolt would log what is in it.
        note(kind)
        return 'unreadable'
      }
    },
  }
}

const heldBack =
  'Slack held back events: it passes on 30,000 an hour from one workspace. Mentions, direct messages and links of that time are lost.'

function wordOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

const saidEveryMs = 60_000

/** @param kind - One of few: each is counted by itself. */
export type NoteMisfit = (kind: string) => void

/**
 * Notes what comes from Slack's side and has not the shape it should have: forged, broken, or of a Slack that has
 * changed. The log gets its kind alone, as what is in it may be a secret, and seldom, as many of them must not fill
 * it.
 */
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
