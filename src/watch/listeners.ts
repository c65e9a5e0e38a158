// Slack's side of watches. Parses, asks, answers; decides nothing.
import type { App } from '@slack/bolt'
import { stopWatchingAction, watchAction } from '../alert/card-buttons.ts'
import type { Guard } from '../slack/guard.ts'
import type { SlackUser } from '../slack/ids.ts'
import type { Outbound } from '../slack/outbound.ts'
import type { PerWorkspace } from '../slack/per-workspace.ts'
import { stopListedAction, watchDirectlyAction } from './render.ts'
import type { Watching } from './watching.ts'

export function registerWatch(
  app: App,
  guard: Guard,
  {
    watching,
    outbound,
    onListChanged,
  }: {
    readonly watching: Watching
    readonly outbound: PerWorkspace<Pick<Outbound, 'respond'>>
    /** A list that does not stand in a message is to be drawn anew. Supplied by `app`. */
    readonly onListChanged: (owner: SlackUser) => Promise<void>
  },
): void {
  app.action(
    watchAction,
    guard.action('alert', (pressed) => watching.watch(pressed, pressed.value)),
  )
  app.action(
    watchDirectlyAction,
    guard.action('alert', (pressed) => watching.watchCardDirectly(pressed, pressed.value)),
  )
  app.action(
    stopWatchingAction,
    guard.action('alert', (pressed) => watching.stop(pressed, pressed.value)),
  )
  app.action(
    stopListedAction,
    guard.action('alert', async (pressed) => {
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
    }),
  )
}
