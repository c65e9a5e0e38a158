// Slack's side of watches. Parses, asks, answers; decides nothing.
import type { App } from '@slack/bolt'
import { stopWatchingAction, watchAction } from '../alert/card-buttons.ts'
import type { Guard } from '../slack/guard.ts'
import type { Outbound } from '../slack/outbound.ts'
import { stopListedAction, watchDirectlyAction } from './render.ts'
import type { Watching } from './watching.ts'

export function registerWatch(
  app: App,
  guard: Guard,
  { watching, outbound }: { readonly watching: Watching; readonly outbound: Pick<Outbound, 'respond'> },
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
      await watching.stop(pressed, pressed.value)
      const { responseUrl } = pressed.place
      if (responseUrl === undefined) return
      await outbound.respond(responseUrl, await watching.list(pressed), { to: 'asker', replaces: true })
    }),
  )
}
