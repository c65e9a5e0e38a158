// Follows each request of Slack from its arrival until all of it is done: its id, the time to its ack, its one line in
// the log, which names what was asked, who asked, and the audit records. Stands where both ways in meet, HTTP and the
// socket.
import type { App } from '@slack/bolt'
import type { Log } from '../../log/log.ts'
import { asRequest } from '../../log/request.ts'
import type { Handled, RequestKind, SlackObserver } from '../observer.ts'

type Body = Readonly<Record<string, unknown>>

const kinds: Readonly<Record<string, RequestKind>> = {
  block_actions: 'press',
  view_submission: 'submission',
  shortcut: 'shortcut',
  message_action: 'shortcut',
  event_callback: 'event',
}

function kindOf(body: Body): RequestKind {
  if (typeof body.command === 'string') return 'command'
  return (typeof body.type === 'string' && Object.hasOwn(kinds, body.type) && kinds[body.type]) || 'other'
}

export function followRequests(
  app: Pick<App, 'processEvent'>,
  {
    observer,
    log,
    monotonic = () => performance.now(),
  }: { readonly observer: SlackObserver; readonly log: Log; readonly monotonic?: () => number },
): void {
  const process = app.processEvent.bind(app)
  app.processEvent = (event) =>
    asRequest(async (request) => {
      const from = monotonic()
      const kind = kindOf(event.body)
      let isAcked = false
      const sender = senderIdsIn(event.body)
      request.user = sender.user
      request.workspace = sender.workspace
      log.debug({ kind }, 'a request came in')
      try {
        await process({
          ...event,
          ack: async (response) => {
            const answer = await event.ack(response)
            if (isAcked) return answer
            isAcked = true
            const ms = monotonic() - from
            observer.acked(kind, ms)
            log.debug({ ms: Math.round(ms) }, 'acked')
            return answer
          },
        })
      } catch (error) {
        request.outcome = 'failed'
        throw error
      } finally {
        // Bolt has nothing more to wait for, and no answer is held up.
        void Promise.allSettled(request.goesOn).then(() => {
          const { outcome, asked, name, user, workspace, recorded } = request
          const about = asked === 'alert' || asked === 'grant' ? asked : 'none'
          const handled: Handled = { kind, about, outcome, ms: Math.round(monotonic() - from) }
          observer.handled(handled)
          const audit = recorded.length === 0 ? undefined : recorded
          log.info({ name, user, workspace, ...handled, audit }, 'handled')
        })
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
