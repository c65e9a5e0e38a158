// Slack's side of settings: the form that admins send.
import type { AnswerForm } from '../slack/answer-form.ts'
import type { Guard } from '../slack/guard.ts'
import type { Listeners } from '../slack/listeners.ts'
import { channelInputs, settingsView, takenInput, waitingModal } from './modal.ts'
import type { Settings } from './settings.ts'

export function registerSettings(
  listeners: Listeners,
  guard: Guard,
  { settings, answerForm }: { readonly settings: Settings; readonly answerForm: AnswerForm },
): void {
  listeners.view(
    settingsView,
    guard.submission('alert', async (submission) => {
      const { asker, answer, filled } = submission
      const chosen = {
        audit: filled.conversation(channelInputs.audit)?.channelId,
        approval: filled.conversation(channelInputs.approval)?.channelId,
        taken: filled.choices(takenInput),
      }
      const { isSeen, problem } = await answerForm(submission, waitingModal('Saving…'), () =>
        settings.save(asker, chosen),
      )
      if (!isSeen && problem !== undefined) await answer(problem)
    }),
  )
}
