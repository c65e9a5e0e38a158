// A payload of Slack's on its way in, by HTTP or by socket: handed to Bolt, or noted as one that cannot be read.
import type { App } from '@slack/bolt'
import type { Log } from '../../log/log.ts'
import type { Clock } from '../ids.ts'
import { createNoteMisfit, kindOf, type NoteMisfit } from './unreadable.ts'

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
export type Taken = 'handled' | 'held-back' | 'unreadable'

export interface Intake {
  init(app: App): void
  /** Never rejects. */
  take(incoming: Incoming): Promise<Taken>
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
