// Intake of payloads, which come over HTTP or a socket. Each is handed to Bolt and followed until all of it is done: that is
// its one line in the log. One that cannot be read is noted instead.
import type { App } from '@slack/bolt'
import { z } from 'zod'
import type { Log } from '../../log/log.ts'
import { asRequest, requestNow } from '../../log/request.ts'
import type { Clock } from '../ids.ts'
import type { Handled, RequestKind, SlackObserver } from '../observer.ts'

type Body = Readonly<Record<string, unknown>>

export interface Incoming {
  readonly body: Body
  /** Undefined where it is no number. */
  readonly retryNum: number | undefined
  readonly retryReason: string | undefined
  /**
   * @param content - Undefined, text, or what becomes JSON.
   * @returns False where Slack does not get the content: the exchange is gone, or was acked before.
   */
  readonly ack: (content: unknown) => Promise<boolean>
}

/**
 * `handled`: a listener had it, or there is none for it. `held-back`: it tells that Slack passes on no more events for
 * now. `unreadable`: noted. `failed`: by a defect of ours, which is in the log.
 */
export type IntakeResult = 'handled' | 'held-back' | 'unreadable' | 'failed'

export interface Intake {
  init(app: App): void
  /** Never rejects. */
  take(incoming: Incoming): Promise<IntakeResult>
  /** Notes what cannot even be taken. */
  readonly note: NoteUnreadable
}

export function createIntake(room: {
  readonly observer: SlackObserver
  readonly log: Log
  readonly now: Clock
}): Intake {
  const { log } = room
  const note = createNoteUnreadable(room)
  let app: App | undefined

  return {
    init(boltApp) {
      app = boltApp
    },
    note,
    async take({ body, retryNum, retryReason, ack }) {
      // Source: docs.slack.dev/reference/events/app_rate_limited. It is no event, and has none in it.
      if (body.type === 'app_rate_limited') {
        log.warn({ workspaceId: wordOf(body.team_id) }, heldBack)
        return 'held-back'
      }
      const kind = boltTypeOf(body)
      if (kind === undefined) {
        note('unknown')
        return 'unreadable'
      }
      const retry = {
        ...(retryNum === undefined ? {} : { retryNum }),
        ...(retryReason === undefined ? {} : { retryReason }),
      }
      let result: IntakeResult = 'handled'
      const process: Parameters<typeof follow>[3] = (acking) =>
        app?.processEvent({ body, ack: acking, ...retry }) ?? Promise.resolve()
      function onFailure(wrapped: unknown): void {
        const error = beforeBolt(wrapped)
        result = isUnreadable(error) ? 'unreadable' : 'failed'
        // Bolt would log what is in it.
        if (result === 'unreadable') note(kind ?? 'unknown')
        else log.error({ err: error, kind }, 'a request failed')
      }
      try {
        await follow(room, body, ack, process, onFailure)
      } catch {
        // It is noted by then.
      }
      return result
    },
  }
}

/** Whether the guard did not find what it reads of a payload, or Bolt failed before any listener was reached. */
function isUnreadable(error: unknown): boolean {
  return error instanceof z.ZodError || requestNow()?.name === undefined
}

/** The error that Bolt has wrapped in one of its own. */
function beforeBolt(error: unknown): unknown {
  return error instanceof Error && 'original' in error ? error.original : error
}

const kindsByType: Readonly<Record<string, RequestKind>> = {
  block_actions: 'press',
  view_submission: 'submission',
  shortcut: 'shortcut',
  message_action: 'shortcut',
  block_suggestion: 'suggestion',
  event_callback: 'event',
}

function requestKindOf({ command, type }: Body): RequestKind {
  if (typeof command === 'string') return 'command'
  return (typeof type === 'string' && Object.hasOwn(kindsByType, type) && kindsByType[type]) || 'other'
}

/**
 * Follows one request: its id, the time to its ack, and its one line in the log, which names what was asked, who asked,
 * and the audit records. It is done when what goes on after its answer is.
 * @param onFailure - Told, while it is the request that is handled, of what `process` throws.
 */
export function follow(
  room: { readonly observer: SlackObserver; readonly log: Log; readonly monotonic?: () => number },
  body: Body,
  ack: Incoming['ack'],
  process: (ack: (content: unknown) => Promise<void>) => Promise<void>,
  onFailure?: (error: unknown) => void,
): Promise<void> {
  const { observer, log, monotonic = () => performance.now() } = room
  return asRequest(async (request) => {
    const from = monotonic()
    const kind = requestKindOf(body)
    let isAcked = false
    const sender = senderIdsIn(body)
    request.user = sender.user
    request.workspace = sender.workspace
    log.debug({ kind }, 'a request came in')
    try {
      await process(async (content) => {
        const isWritten = await ack(content)
        if (isAcked) return
        isAcked = true
        // Bolt's acks tell nothing.
        request.isAckLost = !isWritten
        const ms = monotonic() - from
        observer.acked(kind, ms)
        log.debug({ ms: Math.round(ms) }, 'acked')
      })
    } catch (error) {
      request.outcome = 'failed'
      onFailure?.(error)
      throw error
    } finally {
      const end = () => {
        const { outcome, about = 'none', name, user, workspace, recorded } = request
        const handled: Handled = { kind, about, outcome, ms: Math.round(monotonic() - from) }
        observer.handled(handled)
        const audit = recorded.length === 0 ? undefined : recorded
        log.info({ name, user, workspace, ...handled, audit }, 'handled')
      }
      // Bolt has nothing more to wait for, and no answer is held up.
      if (request.goesOn.length === 0) end()
      else void Promise.allSettled(request.goesOn).then(end)
    }
  })
}

export interface SenderIds {
  /** `U…` or `W…`. */
  readonly user: string | undefined
  /** `T…`; `E…` where Slack names an organisation alone. */
  readonly workspace: string | undefined
}

/** Ids of Slack's are capitals and digits; nothing else gets into the log. */
const plain = /^[A-Z][A-Z0-9]{1,30}$/

/** Ids in a payload that has not been read yet, for the log's line of its request. Pure. */
export function senderIdsIn(body: Body): SenderIds {
  const { event } = body
  return {
    // An event has somebody’s whole profile there when it is about them: they asked for nothing.
    user: idIn(body.user_id) ?? idIn(body.user) ?? (isBody(event) ? plainId(event.user) : undefined),
    workspace: idIn(body.team_id) ?? idIn(body.team) ?? idIn(body.enterprise_id) ?? idIn(body.enterprise),
  }
}

/** As it stands there, or in an object's `id`. */
function idIn(value: unknown): string | undefined {
  return plainId(isBody(value) ? value.id : value)
}

function plainId(value: unknown): string | undefined {
  return typeof value === 'string' && plain.test(value) ? value : undefined
}

function isBody(value: unknown): value is Body {
  return typeof value === 'object' && value !== null
}

const heldBack =
  'Slack held back events: it delivers at most 30,000 an hour from one workspace. Mentions, direct messages and links from that time are lost.'

function wordOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

const saidEveryMs = 60_000

/** @param kind - One of few: each is counted by itself. */
export type NoteUnreadable = (kind: string) => void

/**
 * Notes what comes from Slack's side and has not the shape it should have: forged, broken, or of a Slack that has
 * changed. The log gets its kind alone, as what is in it may be a secret, and seldom, as many of them must not fill
 * it.
 */
export function createNoteUnreadable({
  log,
  now,
}: {
  readonly log: Log
  readonly now: Clock
}): NoteUnreadable {
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

const boltTypes = [
  'block_suggestion',
  'shortcut',
  'message_action',
  'view_submission',
  'view_closed',
] as const

/**
 * What Bolt takes a body for; undefined for what it does not know, and would log each time.
 * Source: `getTypeAndConversation` of @slack/bolt.
 */
function boltTypeOf(body: Body): string | undefined {
  if (body.event !== undefined) return 'event'
  if (body.command !== undefined) return 'command'
  if (body.name !== undefined) return 'block_suggestion'
  if (body.actions !== undefined || body.type === 'dialog_submission') return 'block_actions'
  return boltTypes.find((type) => type === body.type)
}
