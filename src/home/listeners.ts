// Slack's side of the Home tab. Parses, publishes; decides nothing.
import { z } from 'zod'
import { always, type Guard } from '../slack/guard/guard.ts'
import type { Listeners } from '../slack/guard/listeners.ts'
import type { ActionRequest } from '../slack/guard/requests.ts'
import { slackId } from '../slack/ids.ts'
import { type HomeRoom, publishHome } from './home.ts'
import { homeActions } from './render.ts'

/** The same event comes when somebody opens the direct message. */
const opened = z.object({ user: slackId, tab: z.literal('home') })

export function registerHome(
  listeners: Listeners,
  guard: Guard,
  room: HomeRoom,
  forms: {
    /** @param ks - The key that the form begins with, raw. */
    readonly lookUp: (pressed: ActionRequest, ks?: string) => Promise<void>
    readonly grant: (pressed: ActionRequest) => Promise<void>
  },
): void {
  const { tokens, people, scopes, gate } = room

  listeners.event(
    'app_home_opened',
    guard.event(async ({ workspaceId, event }) => {
      const read = opened.safeParse(event)
      if (!read.success || !(await scopes.in(workspaceId).isOn('home'))) return
      const { user: userId } = read.data
      // It shows what it showed a moment ago.
      if (!gate.chargeSilently({ workspaceId, userId })) return
      if ((await people.in(workspaceId).writerOf(userId)).isStranger) return
      await publishHome(room, { workspaceId, userId })
    }),
  )

  listeners.action(
    homeActions.lookUp,
    guard.action('look-up', (pressed) => forms.lookUp(pressed)),
  )
  listeners.action(
    homeActions.lookUpAgain,
    guard.action('look-up', (pressed) => forms.lookUp(pressed, pressed.value)),
  )
  listeners.action(
    homeActions.grant,
    guard.action('grant', (pressed) => forms.grant(pressed)),
  )
  listeners.action(
    homeActions.forgetWho,
    guard.action(
      'home',
      async ({ asker }) => {
        await room.forgetLink(asker)
        await publishHome(room, asker)
      },
      { isUnlimited: always },
    ),
  )
  listeners.action(
    homeActions.disconnect,
    guard.action(
      'home',
      async ({ asker }) => {
        await tokens.forget(asker)
        await publishHome(room, asker)
      },
      { isUnlimited: always },
    ),
  )
}
