// Slack's side of the Home tab. Parses, publishes; decides nothing.
import { z } from 'zod'
import { always, type Guard } from '../slack/guard/guard.ts'
import type { Listeners } from '../slack/guard/listeners.ts'
import { slackId } from '../slack/guard/payloads.ts'
import { publishHome } from './home.ts'
import { disconnectAction } from './render.ts'
import type { HomeRoom } from './room.ts'

/** The same event comes when somebody opens the direct message. */
const opened = z.object({ user: slackId, tab: z.literal('home') })

export function registerHome(listeners: Listeners, guard: Guard, room: HomeRoom): void {
  const { tokens, people, scopes, gate } = room

  listeners.event(
    'app_home_opened',
    guard.event(async ({ workspaceId, event, isAgain }) => {
      const read = opened.safeParse(event)
      if (!read.success || !(await scopes.in(workspaceId).isOn('home'))) return
      const { user: userId } = read.data
      // It shows what it showed a moment ago.
      if (!isAgain && !(await gate.admits({ workspaceId, userId }))) return
      if ((await people.in(workspaceId).writerOf(userId)).isStranger) return
      await publishHome(room, { workspaceId, userId })
    }),
  )

  listeners.action(
    disconnectAction,
    guard.action(
      'home',
      async ({ asker }) => {
        await tokens.forget(asker)
        await publishHome(room, asker)
      },
      { isFree: always },
    ),
  )
}
