// Slack's side of settings: the form that admins send.
import type { Guard } from '../slack/guard/guard.ts'
import type { Listeners } from '../slack/guard/listeners.ts'
import { type Filled, OddInput } from '../slack/guard/requests.ts'
import { readMention } from '../slack/text/mrkdwn.ts'
import { badMention, channelInputs, mentionInput, settingsView, takenInput, waitingModal } from './render.ts'
import { type SettingsRoom, saveSettings } from './settings.ts'

export function registerSettings(listeners: Listeners, guard: Guard, room: SettingsRoom): void {
  listeners.view(
    settingsView,
    guard.submission('settings', async (submission) => {
      const { asker, answer, filled, ack } = submission
      // Forms of former versions have no such input.
      const asksMention = filled.inputs.includes(mentionInput)
      const mention = asksMention ? readMention(filled.text(mentionInput)) : undefined
      if (asksMention && mention === undefined) {
        return ack({ response_action: 'errors', errors: { [mentionInput]: badMention } })
      }
      const chosen = {
        audit: channelAt(channelInputs.audit, filled),
        approval: channelAt(channelInputs.approval, filled),
        taken: takenIn(filled),
        mention,
      }
      const { isSeen, problem } = await room.answerForm(submission, waitingModal('Saving…'), () =>
        saveSettings(room, asker, chosen),
      )
      if (!isSeen && problem !== undefined) await answer(problem)
    }),
  )
}

/** The form offers channels alone; left empty, one stays as it is. */
function channelAt(input: string, filled: Filled): string | undefined {
  const conversation = filled.conversation(input)
  if (conversation?.isDirect) throw new OddInput(input)
  return conversation?.channelId
}

function takenIn(filled: Filled): readonly string[] {
  const taken = filled.choices(takenInput)
  if (taken.some((one) => !Object.hasOwn(channelInputs, one))) throw new OddInput(takenInput)
  return taken
}
