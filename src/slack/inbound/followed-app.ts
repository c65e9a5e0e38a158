// Bolt's app, which follows each request from when it comes in until all of it is done: its id, the time to its ack, and
// its one line in the log, which names what was asked, who asked, and the audit records.
import { App, type Receiver, type ReceiverEvent } from '@slack/bolt'
import { asRequest, type Log } from '../../log/log.ts'
import { ackSeconds, requestsTotal } from '../../metrics/metrics.ts'
import type { ClientOptions } from '../client/web-client.ts'

type RequestKind = 'command' | 'press' | 'submission' | 'shortcut' | 'suggestion' | 'event' | 'other'

export class FollowedApp extends App {
  readonly #log: Log

  constructor(receiver: Receiver, clientOptions: ClientOptions, log: Log) {
    super({
      ...{ receiver, clientOptions, logger: clientOptions.logger },
      // Bolt makes a client for each request, and nothing of ours uses it: it gets no token of any workspace.
      authorize: async () => ({}),
      convoStore: false,
      // Bolt is not told who the bot is, and could not tell; what bots write is left out where it is read.
      ignoreSelf: false,
    })
    this.#log = log
    // It is in the log by then, and Bolt would log what was in it.
    this.error(async (error) => {
      throw error
    })
  }

  /** Rejects for a request that fails, which is in the log by then, and with `NobodyListens`. */
  override processEvent(event: ReceiverEvent): Promise<void> {
    const log = this.#log
    return asRequest(async (request) => {
      const from = performance.now()
      const kind = requestKindOf(event.body)
      log.debug({ kind }, 'a request came in')
      let isAcked = false
      /** Of two acks, Slack gets the first. */
      async function ack(response: unknown): Promise<void> {
        if (isAcked) return
        isAcked = true
        // The socket may be gone. As over HTTP, the work goes on.
        await event.ack(response).catch(() => undefined)
        const ms = performance.now() - from
        ackSeconds.observe({ kind }, ms / 1000)
        log.debug({ ms: Math.round(ms) }, 'acked')
      }
      try {
        await super.processEvent({ ...event, ack })
        if (request.name === undefined && kind !== 'event') throw new NobodyListens()
      } catch (error) {
        request.outcome = 'failed'
        // Bolt wraps it in an error of its own.
        const err = error instanceof Error && 'original' in error ? error.original : error
        if (!(error instanceof NobodyListens)) log.error({ err, kind }, 'a request failed')
        throw error
      } finally {
        const { outcome, about = 'none', name, user, workspace, recorded } = request
        requestsTotal.inc({ kind, about, outcome })
        const ms = Math.round(performance.now() - from)
        const audit = recorded.length === 0 ? undefined : recorded
        log.info({ name, user, workspace, kind, about, outcome, ms, audit }, 'handled')
      }
    })
  }
}

/** A command, button or form of another app, or of another version. Else Slack would wait three seconds for its ack. */
export class NobodyListens extends Error {
  override readonly name = 'NobodyListens'
}

/** By the types of Slack's payloads; a command has none. */
const kinds = new Map<unknown, RequestKind>([
  ['block_actions', 'press'],
  ['view_submission', 'submission'],
  ['shortcut', 'shortcut'],
  ['message_action', 'shortcut'],
  ['block_suggestion', 'suggestion'],
  ['event_callback', 'event'],
])

function requestKindOf({ command, type }: ReceiverEvent['body']): RequestKind {
  return typeof command === 'string' ? 'command' : (kinds.get(type) ?? 'other')
}
