// The words of `/alert`, wherever they are written.
import { disconnect, openConnect } from '../account/listeners.ts'
import { actByLine } from '../act/by-key.ts'
import { type AlertAsk, lookUpFor, parseAlertLine } from '../alert/input.ts'
import { askAgain, lookUp, openOrOfferForm, refuseToAct, refuseToken } from '../alert/look-up.ts'
import { listOpen } from '../alert/open.ts'
import { renderHelp } from '../alert/render/help.ts'
import { renderProblem } from '../alert/render/no-card.ts'
import { wordFor } from '../alert/words.ts'
import { examine } from '../doctor/doctor.ts'
import { listFollows, offerToFollow, unfollow } from '../follow/following.ts'
import type { House } from '../house.ts'
import { listWatches } from '../live/watching.ts'
import { endsAs } from '../log/request.ts'
import type { ActionRequest } from '../slack/guard/requests.ts'
import type { Command } from '../slack/routes.ts'

export const alertCommand: Command<AlertAsk> = {
  about: 'alert',
  parse: ({ config }, line) => parseAlertLine(line, config.alertUrl, config.canAct),
  atOnce({ config }, ask) {
    switch (ask.kind) {
      case 'help':
        return renderHelp(config.alertUrl, config.canAct)
      case 'problem':
        endsAs('user-error')
        return renderProblem(ask)
      default:
        return undefined
    }
  },
  isFree: ({ kind }) => wordFor(kind).isFree === true,
  isReadOnly: ({ kind }) => kind === 'problem' || kind === 'token' || wordFor(kind).isReadOnly === true,
  isKept: ({ kind }) => kind === 'act' || kind === 'assign',
  async run(house, request, ask) {
    const { canAct } = house.config
    switch (ask.kind) {
      case 'help':
      case 'problem':
        // Answered at once.
        return
      case 'form':
        return openOrOfferForm(house, request)
      case 'token':
        return refuseToken(house, request)
      case 'watches':
        return request.answer(await listWatches(house, request.asker))
      case 'doctor':
        return examine(house, request)
      case 'connect':
        return openConnect(house, request)
      case 'disconnect':
        return disconnect(house, request)
      case 'look-up':
        return lookUp(house, request, ask)
      case 'open':
        return listOpen(house, request, ask)
      case 'follow':
        return offerToFollow(house, request, ask)
      case 'unfollow':
        return unfollow(house, request, ask)
      case 'follows':
        return listFollows(house, request)
      case 'act':
      case 'assign':
        return canAct ? actByLine(house, request, ask) : refuseToAct(house, request, ask.message)
      default:
        return ask satisfies never
    }
  },
}

/** A button below an answer that asks for something else instead. */
export function askInstead(house: House, pressed: ActionRequest): Promise<void> {
  return askAgain(house, pressed, alertCommand)
}

/** *Show card* beside an alert in a list: the card is posted where the list stands. */
export function showListed(house: House, { asker, place, value }: ActionRequest): Promise<void> {
  return lookUp(house, { asker, place }, lookUpFor(value))
}
