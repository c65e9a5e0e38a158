// Answers the choices in the menu of a card.

import { openAssignForm, openCommentForm } from '../act/forms.ts'
import { subjectOf } from '../alert/cards.ts'
import { readMenuChoice } from '../alert/render/card.ts'
import { refreshCard, shareCard } from '../alert/show.ts'
import { openForm } from '../grant/form.ts'
import type { House } from '../house.ts'
import { stopWatching } from '../live/watching.ts'
import { noteRequest } from '../log/log.ts'
import { openMaintenanceForm } from '../maintenance/form.ts'
import type { ActionRequest } from '../slack/guard/requests.ts'

/** Does what somebody chose in a card’s menu. */
export async function chooseInMenu(house: House, pressed: ActionRequest): Promise<void> {
  const chosen = readMenuChoice(pressed.value)
  if (chosen === undefined) return
  const { offer, id: cardId } = chosen
  switch (offer) {
    case 'refresh':
      return refreshCard(house, pressed, cardId)
    case 'assign-to':
    case 'comment':
    case 'maintenance':
      if (!house.config.hasAllOperations) return
      noteRequest({ about: 'act' })
      if (offer === 'maintenance') return openMaintenanceForm(house, pressed, cardId)
      return (offer === 'comment' ? openCommentForm : openAssignForm)(house, pressed, chosen)
    case 'open':
      // *Open in monitoring* is a link, which Slack opens by itself.
      return
    case 'share':
      return shareCard(house, pressed, cardId)
    case 'stop':
      return stopWatching(house, pressed, cardId)
    case 'grant': {
      const subject = await subjectOf(house, pressed, cardId)
      const { containerId, place } = subject
      return openForm(house, { ...pressed, place }, { containerId }, subject)
    }
    default:
      return offer satisfies never
  }
}
