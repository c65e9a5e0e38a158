// Follows each request of Slack from its arrival until all of it is done: its id, the time to its ack, its one line
// in the log, which names what was asked, who asked, and the audit records. It stands where both ways in meet, HTTP and
// the socket.
import type { App } from '@slack/bolt'
import type { Log } from '../../log/log.ts'
import { asRequest } from '../../log/request.ts'
import type { Handled, RequestKind, SlackObserver } from '../observer.ts'
import { senderIdsIn } from './sender-ids.ts'

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
