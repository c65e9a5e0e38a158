// Answers lines of `/alert`, wherever they are typed.
import { disconnect, openConnect } from '../account/listeners.ts'
import { act } from '../act/act.ts'
import { cardInThread } from '../alert/cards.ts'
import { type AlertAsk, linesOfLinks, lookUpFor, parseAlertLine } from '../alert/input.ts'
import { lookUp, openOrOfferForm, refuseToken } from '../alert/look-up.ts'
import { listOpen } from '../alert/open.ts'
import { renderProblem } from '../alert/render/look-up.ts'
import { helpText, wordFor } from '../alert/words.ts'
import { listFollows, offerToFollow, unfollow } from '../follow/following.ts'
import { showSince } from '../follow/since.ts'
import type { House } from '../house.ts'
import { listWatches } from '../live/watching.ts'
import { noteOutcome } from '../log/log.ts'
import { askMaintenance } from '../maintenance/asking.ts'
import type { ActionRequest, CommandRequest } from '../slack/guard/requests.ts'
import { answering, type LineRoute, type Listener } from '../slack/routes.ts'
import { escapeText } from '../slack/text/mrkdwn.ts'

export function alertCommand(house: House, line: string): LineRoute {
  const { alertUrl, hasAllOperations, severityNames } = house.config
  const each = linesOfLinks(line).map((one) => alertCommand(house, one))
  const all: Listener<CommandRequest> = async (_, request) =>
    void (await Promise.all(each.map(({ run }) => run(house, request))))
  if (each.length > 0) return { about: 'alert', run: all }
  const ask = parseAlertLine(line, alertUrl, hasAllOperations, severityNames)
  // Help is too long for blocks. It goes as plain text, which is safe: nothing in it comes from outside.
  if (ask.kind === 'help')
    return answering('alert', {
      text: helpText(alertUrl !== undefined, hasAllOperations),
      blocks: [],
    })
  if (ask.kind === 'problem') {
    noteOutcome('user-error')
    return answering('alert', renderProblem(ask))
  }
  const { isReadOnly = false } = wordFor(ask.kind)
  return {
    about: 'alert',
    isReadOnly: isReadOnly || ask.kind === 'token',
    isKept: ask.kind === 'act',
    run: (_, request) => runAsk(house, request, ask),
  }
}

/** Listeners for words that stand alone on a line (such as `watches`), for an empty line, and for a line with a token. */
const byWordAlone = {
  form: openOrOfferForm,
  token: refuseToken,
  watches: async (house, { asker, answer }) => answer(await listWatches(house, asker)),
  follows: listFollows,
  // Most processes never need doctor, so it is loaded when somebody asks for it.
  doctor: async (house, request) => (await import('../doctor/doctor.ts')).examine(house, request),
  connect: openConnect,
  disconnect,
} satisfies Record<string, Listener<CommandRequest>>

type Runnable = Exclude<AlertAsk, { readonly kind: 'help' | 'problem' }>

async function runAsk(house: House, request: CommandRequest, ask: Runnable) {
  switch (ask.kind) {
    case 'look-up':
      return lookUp(house, request, ask)
    case 'open':
      return listOpen(house, request, ask)
    case 'follow':
      return offerToFollow(house, request, ask)
    case 'unfollow':
      return unfollow(house, request, ask)
    case 'maintenance':
      return askMaintenance(house, request, ask)
    case 'since':
      return showSince(house, request, ask)
    case 'act': {
      const card = await cardInThread(house, request.asker, request.place)
      const cardId = 'ks' in ask.which && card?.ks === ask.which.ks ? card.id : undefined
      return act(house, request, { ...ask, id: request.id, cardId })
    }
    default:
      return byWordAlone[ask.kind](house, request)
  }
}

/** *Run*, or *Try again*: runs the button’s line. */
export async function askInstead(house: House, pressed: ActionRequest): Promise<void> {
  const { triggerId: id, value } = pressed
  await runInstead(house, { ...pressed, id }, alertCommand(house, escapeText(value)))
}

/**
 * Runs a line that a button carries, then removes the button’s message, as the outcome is in another message. The line needs
 * no check: whoever pressed could type it as well.
 */
export async function runInstead(
  house: House,
  pressed: ActionRequest & CommandRequest,
  line: LineRoute,
): Promise<void> {
  try {
    await line.run(house, pressed)
  } finally {
    const { responseUrl } = pressed.place
    if (responseUrl !== undefined) await house.slack.retract(responseUrl).catch(() => undefined)
  }
}

/** *Show card* in a list that a channel sees: the channel sees the card, too. */
export function showListed(house: House, pressed: ActionRequest): Promise<void> {
  return lookUp(house, pressed, lookUpFor(pressed.value))
}

/** *Show card* in a list that one person sees: the card is for them alone, and they can share it. */
export function showOwn(house: House, pressed: ActionRequest): Promise<void> {
  const { place, value } = pressed
  return lookUp(house, pressed, { ...lookUpFor(value), isPrivate: !place.isDirect })
}
