// Slack's side of watches. Parses, asks, answers; decides nothing.
import { z } from 'zod'
import { stopWatchingAction, watchAction } from '../alert/render/buttons.ts'
import { always, type Guard } from '../slack/guard/guard.ts'
import type { Listeners } from '../slack/guard/listeners.ts'
import type { SlackUser } from '../slack/ids.ts'
import type { Outbound } from '../slack/outbound/outbound.ts'
import type { PerWorkspace } from '../slack/per-workspace.ts'
import { stopListedAction, watchDirectlyAction } from './render.ts'
import type { Watching } from './watching.ts'

const shared = z.object({ channel: z.string() })

export function registerWatch(
  listeners: Listeners,
  guard: Guard,
  {
    watching,
    becameShared,
    outbound,
    onListChanged,
  }: {
    readonly watching: Watching
    readonly becameShared: (workspaceId: string, channelId: string) => Promise<void>
    readonly outbound: PerWorkspace<Pick<Outbound, 'respond'>>
    /** A list that does not stand in a message is to be drawn anew. Supplied by `app`. */
    readonly onListChanged: (owner: SlackUser) => Promise<void>
  },
): void {
  listeners.event(
    'channel_shared',
    guard.event(({ workspaceId, event }) => becameShared(workspaceId, shared.parse(event).channel)),
  )
  listeners.action(
    watchAction,
    guard.action('alert', (pressed) => watching.watch(pressed, pressed.value)),
  )
  listeners.action(
    watchDirectlyAction,
    guard.action('alert', (pressed) => watching.watchCardDirectly(pressed, pressed.value)),
  )
  listeners.action(
    stopWatchingAction,
    guard.action('alert', (pressed) => watching.stop(pressed, pressed.value), { isFree: always }),
  )
  listeners.action(
    stopListedAction,
    guard.action(
      'alert',
      async (pressed) => {
        if (pressed.view !== undefined) {
          // Also when there was nothing to stop any more: then the list is older than that.
          return watching.stop(pressed, pressed.value).finally(() => onListChanged(pressed.asker))
        }
        await watching.stop(pressed, pressed.value)
        const { responseUrl } = pressed.place
        if (responseUrl === undefined) return
        await outbound
          .in(pressed.asker.workspaceId)
          .respond(responseUrl, await watching.list(pressed.asker), { to: 'asker', replaces: true })
      },
      { isFree: always },
    ),
  )
}
