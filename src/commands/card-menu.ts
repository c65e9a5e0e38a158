// The menu of a card: what is chosen there leads to the feature whose it is.
import { openAssignForm } from '../act/assign/assign.ts'
import { openCommentForm } from '../act/forms.ts'
import { subjectOf } from '../alert/cards.ts'
import { readMenuChoice } from '../alert/render/card-buttons.ts'
import { refreshCard, shareCard } from '../alert/show.ts'
import { nothingTyped, openForm } from '../grant/form/form.ts'
import type { House } from '../house.ts'
import { stopWatching } from '../live/watching.ts'
import { setAbout } from '../log/request.ts'
import type { ActionRequest } from '../slack/guard/requests.ts'

export async function chooseInMenu(house: House, pressed: ActionRequest): Promise<void> {
  const chosen = readMenuChoice(pressed.value)
  if (chosen === undefined) return
  const { offer, cardId } = chosen
  switch (offer) {
    case 'refresh':
      return refreshCard(house, pressed, cardId)
    case 'assign-to':
    case 'comment':
      if (!house.config.canAct) return
      setAbout('act')
      return (offer === 'comment' ? openCommentForm : openAssignForm)(house, pressed, chosen)
    case 'open':
      // A link opens by itself; Slack only wants to hear that it was chosen.
      return
    case 'share':
      return shareCard(house, pressed, cardId)
    case 'stop':
      return stopWatching(house, pressed, cardId)
    case 'grant': {
      const subject = await subjectOf(house, pressed, cardId)
      const container = subject.containerId === undefined ? '' : String(subject.containerId)
      return openForm(house, { ...pressed, place: subject.place }, { ...nothingTyped, container }, subject)
    }
    default:
      return offer satisfies never
  }
}
