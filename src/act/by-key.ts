// `/alert assign`, `comment` and `close`: acts on an alert that is named by its key or its link, on a line or in a form.
import { type Resumed, withToken } from '../account/connect-first.ts'
import type { ActAsk, AssignAsk } from '../alert/input.ts'
import type { AlertLink } from '../alert/link.ts'
import { findByLink, refuseToken } from '../alert/look-up.ts'
import { sayingWhenSlow } from '../alert/read.ts'
import { severalMatch } from '../alert/render/no-card.ts'
import { UserError } from '../errors.ts'
import type { House } from '../house.ts'
import { setAbout } from '../log/request.ts'
import { onlyWithAddress } from '../names/own-id.ts'
import { peopleOf } from '../names/people.ts'
import type { AlertWrite } from '../send/writes.ts'
import type { CommandRequest, From } from '../slack/guard/requests.ts'
import { say } from '../slack/outbound/message.ts'
import { namelessIn } from '../slack/text/typed.ts'
import { assignMe } from './assign/assign.ts'
import { containerFor } from './assign/candidates.ts'
import { chooseNow, unknownPerson } from './assign/prompts.ts'
import { assignTo, type WantedAssign } from './assign/wanted.ts'
import { actOn, holdsOwnToken } from './sending.ts'
import { orTextBack } from './text.ts'
import { waitingAct, waitsFor } from './waiting.ts'

/** What somebody asks, and the id of that: the same however often Slack delivers it. */
export interface AskedAct {
  readonly id: string
  readonly ask: ActAsk | AssignAsk
  /** As in `WantedAct`. */
  readonly answerForm?: (() => Promise<void>) | undefined
  /** Opens a form, should one be needed. */
  readonly triggerId?: string | undefined
}

/** `/alert assign`, `/alert comment` and `/alert close`, wherever they are typed. */
export async function actByLine(
  house: House,
  request: CommandRequest,
  ask: ActAsk | AssignAsk,
): Promise<void> {
  setAbout('act')
  const { id, triggerId } = request
  await actAsked(house, request, { id, ask, triggerId })
}

/** Goes on with an act that waited, here or further on, once an account is connected. */
export async function resumeAct(house: House, from: From, { ask }: Resumed): Promise<void> {
  setAbout('act')
  const waited = waitingAct.parse(ask)
  switch (waited.kind) {
    case 'line':
      return actAsked(house, from, waited)
    case 'me':
      return assignMe(house, from, waited.wanted, undefined)
    case 'form':
      return house.slack.privately(from.place, say(chooseNow))
    case 'act':
      return actOn(house, from, waited)
    default:
      return waited satisfies never
  }
}

/** Sends nothing of what holds the asker's own token; a text that cannot be sent comes back. */
export function actAsked(house: House, from: From, asked: AskedAct): Promise<void> {
  return orTextBack(house, from, asked.ask.message, () => actOnNamed(house, from, asked))
}

async function actOnNamed(house: House, from: From, asked: AskedAct): Promise<void> {
  const { id, ask, answerForm } = asked
  // Finding the alert and naming people takes longer than a form can wait.
  if ('link' in ask.which || namelessIn(ask.message).length > 0) await answerForm?.()
  if ('act' in ask && 'ks' in ask.which) {
    return actOn(house, from, { id, write: writeFor(ask, ask.which.ks), answerForm })
  }
  await withToken(house, from, waitsFor({ kind: 'line', id, ask }), async (token) => {
    const ks = 'ks' in ask.which ? ask.which.ks : await keyOfLink(house, from, token, ask.which.link)
    if (holdsOwnToken({ ks, message: ask.message }, token)) return refuseToken(house, from)
    if ('act' in ask) return actOn(house, from, { id, write: writeFor(ask, ks), answerForm })
    const { to, message } = ask
    const wanted: WantedAssign = { id, ks, message, shown: undefined, cardId: undefined, isOnCard: false }
    if (to === 'me') return assignMe(house, from, wanted, asked.triggerId)
    const ownerId = 'userId' in to ? to.userId : await userOf(house, from, token, wanted, to.slackId)
    return actOn(house, from, assignTo(wanted, ownerId))
  })
}

export function writeFor(
  { act, message, isSolution }: Pick<ActAsk, 'act' | 'message' | 'isSolution'>,
  ks: string,
): AlertWrite {
  const about = { ks, message, shown: undefined, senderId: undefined, cardId: undefined }
  return act === 'comment' ? { kind: 'comment', ...about } : { kind: 'close', ...about, isSolution }
}

/** @throws UserError where no key is found, or the link holds their own token. */
async function keyOfLink(house: House, from: From, token: string, link: AlertLink): Promise<string> {
  const [ks, ...others] = await findByLink(house, from.asker, token, link)
  if (others.length > 0) throw new UserError(severalMatch)
  return ks
}

/**
 * Who somebody in Slack is at the service: as they are known, else whoever has their Slack address among the container's
 * people that the asker's token shows.
 * @throws UserError where nobody can tell.
 */
async function userOf(
  house: House,
  from: From,
  token: string,
  wanted: WantedAssign,
  slackId: string,
): Promise<number> {
  const { workspaceId, userId } = from.asker
  const linked = await house.storage.ownIds.find({ workspaceId, userId: slackId })
  if (linked?.isMatched || (linked !== undefined && slackId === userId)) return linked.userId
  const finding = containerFor(house, { workspaceId, userId }, token, wanted)
  const [identity, container] = await Promise.all([
    house.slack.people.identityOf(slackId),
    sayingWhenSlow(house, from, wanted.ks, finding),
  ])
  const listed =
    identity?.email === undefined || container === undefined
      ? undefined
      : await peopleOf(house, from.asker, token, container)
  const only = onlyWithAddress(listed?.kind === 'listed' ? listed.people : [], identity?.email)
  if (only === undefined) throw new UserError(unknownPerson(identity?.name))
  return only.id
}
