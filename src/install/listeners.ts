// Slack's side of settings: the form that admins send.
import type { Guard } from '../slack/guard.ts'
import type { Listeners } from '../slack/listeners.ts'
import { channelInputs, settingsView, takenInput, waitingModal } from './modal.ts'
import type { Settings } from './settings.ts'

export function registerSettings(
  listeners: Listeners,
  guard: Guard,
  { settings }: { readonly settings: Settings },
): void {
  listeners.view(
    settingsView,
    guard.submission('alert', async ({ asker, place, answer, ack, filled, viewId }) => {
      const chosen = {
        audit: filled.conversation(channelInputs.audit)?.channelId,
        approval: filled.conversation(channelInputs.approval)?.channelId,
        taken: filled.choices(takenInput),
      }
      await ack({ response_action: 'update', view: waitingModal('Saving…') })
      await settings.save({ asker, place, answer }, viewId, chosen)
    }),
  )
}
