// Slack's side of watches. Parses, asks, answers; decides nothing.
import { z } from 'zod'
import { stopWatchingAction, watchAction } from '../alert/render/card-buttons.ts'
import { always, type Guard } from '../slack/guard/guard.ts'
import type { Listeners } from '../slack/guard/listeners.ts'
import { readEvent } from '../slack/guard/requests.ts'
import type { SlackUser } from '../slack/ids.ts'
import { renderStopped, stopAnsweredAction, stopListedAction, watchDirectlyAction } from './render.ts'
import type { WatchRoom } from './room.ts'
import {
  endWhereShared,
  listWatches,
  stopWatching,
  stopWatchingAlone,
  watchCard,
  watchCardDirectly,
} from './watching.ts'

const shared = z.object({ channel: z.string() })

/** @param onListChanged - A list that does not stand in a message is to be drawn anew. Supplied by `app`. */
export function registerWatch(
  listeners: Listeners,
  guard: Guard,
  room: WatchRoom,
  onListChanged: (owner: SlackUser) => Promise<void>,
): void {
  listeners.event(
    'channel_shared',
    guard.event(({ workspaceId, event }) =>
      endWhereShared(room, workspaceId, readEvent(shared, event).channel),
    ),
  )
  listeners.action(
    watchAction,
    guard.action('watch', (pressed) => watchCard(room, pressed, pressed.value)),
  )
  listeners.action(
    watchDirectlyAction,
    guard.action('watch', (pressed) => watchCardDirectly(room, pressed, pressed.value)),
  )
  listeners.action(
    stopWatchingAction,
    guard.action('watch', (pressed) => stopWatching(room, pressed, pressed.value), { isUnlimited: always }),
  )
  listeners.action(
    stopAnsweredAction,
    guard.action(
      'watch',
      async (pressed) => {
        await stopWatchingAlone(room, pressed, pressed.value)
        await room.delivery.privately(pressed.place, renderStopped(), { replaces: true })
      },
      { isUnlimited: always },
    ),
  )
  listeners.action(
    stopListedAction,
    guard.action(
      'watch',
      async (pressed) => {
        if (pressed.view !== undefined) {
          // Also when there was nothing to stop any more: then the list is older than that.
          return stopWatchingAlone(room, pressed, pressed.value).finally(() => onListChanged(pressed.asker))
        }
        await stopWatchingAlone(room, pressed, pressed.value)
        const { responseUrl } = pressed.place
        if (responseUrl === undefined) return
        await room.outbound
          .in(pressed.asker.workspaceId)
          .respond(responseUrl, await listWatches(room, pressed.asker), { to: 'asker', replaces: true })
      },
      { isUnlimited: always },
    ),
  )
}
