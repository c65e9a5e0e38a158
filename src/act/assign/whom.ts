// The owner whom somebody means for an alert, at the service: as it is known, else asked of them in a form. What is read
// for that is read with their own token, and shown to them alone.
import { cardTheySee } from '../../alert/cards.ts'
import { sayingWhenSlow } from '../../alert/show.ts'
import { MonitorError, UserError } from '../../errors.ts'
import type { House } from '../../house.ts'
import { monitorSentence } from '../../monitor/failures.ts'
import { peopleOf } from '../../names/names.ts'
import { onlyWithAddress, ownIdOf, whoUnknown } from '../../names/own-id.ts'
import type { From } from '../../slack/guard/requests.ts'
import type { View } from '../../slack/outbound/message.ts'
import { quote } from '../../slack/text/typed.ts'
import { inTime } from '../../work/under-way.ts'
import { formState, type KeyedIntent } from '../intent.ts'
import { hearsOfLack } from '../rights.ts'
import { type Candidates, containerFor, findCandidates } from './candidates.ts'
import { answeredElsewhere, assignModal, assignNoteModal, chooseNow, unknownPerson } from './modal.ts'

/**
 * @param triggerId - Opens a form, should one be needed.
 * @returns Undefined where the form asks for it, or they have heard why it comes to nothing.
 * @throws UserError where nobody can tell, and no form can be opened.
 */
export async function ownerFor(
  house: House,
  from: From,
  token: string,
  intent: KeyedIntent,
  triggerId: string | undefined,
): Promise<number | undefined> {
  const { to } = intent
  if (typeof to === 'object')
    return 'userId' in to ? to.userId : userOf(house, from, token, intent, to.slackId)
  const own = to === 'me' ? await ownIdOf(house, from.asker) : undefined
  if (own !== undefined) return own
  if (await hearsOfLack(house, from, intent)) return undefined
  if (to !== 'me' && triggerId === undefined) throw new UserError(chooseNow)
  const reading = findCandidates(house, from.asker, token, intent)
  const found = await (triggerId === undefined
    ? sayingWhenSlow(house, from, intent.which.ks, reading)
    : openWhenRead(house, from, triggerId, intent, reading))
  if (found?.kind === 'known') return found.userId
  if (triggerId === undefined) throw new UserError(whoUnknown)
  return undefined
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
  { cardId, which: { ks } }: KeyedIntent,
  slackId: string,
): Promise<number> {
  const { workspaceId, userId } = from.asker
  const linked = await house.storage.ownIds.find({ workspaceId, userId: slackId })
  if (linked?.isMatched || (linked !== undefined && slackId === userId)) return linked.userId
  const finding = containerFor(house, { workspaceId, userId }, token, ks, cardId)
  const [identity, container] = await Promise.all([
    house.slack.people.whoIs(slackId),
    sayingWhenSlow(house, from, ks, finding),
  ])
  const listed =
    identity?.email === undefined || container === undefined
      ? undefined
      : await peopleOf(house, from.asker, token, container)
  const only = onlyWithAddress(listed?.kind === 'listed' ? listed.people : [], identity?.email)
  if (only === undefined) throw new UserError(unknownPerson(identity?.name))
  return only.id
}

/** A trigger lives three seconds, and some of them are gone by then. */
const soonMs = 1_200

/**
 * Opens the form that a read decides about: by itself where that is soon there, else in place of “Loading…”.
 * @returns What was found: whoever is known needs no form. Undefined where the form tells why nothing was.
 */
async function openWhenRead(
  house: House,
  from: From,
  triggerId: string,
  intent: KeyedIntent,
  reading: Promise<Candidates>,
): Promise<Candidates | undefined> {
  const { slack } = house
  const soon = await inTime(reading, soonMs)
  if (soon !== undefined) {
    if (soon.kind !== 'known') await slack.openView(triggerId, await formFor(house, from, intent, soon))
    return soon
  }
  const viewId = await slack.openView(triggerId, assignNoteModal(intent.to, 'Loading…'))
  try {
    const found = await reading
    await slack.updateView(viewId, await formFor(house, from, intent, found))
    return found
  } catch (error) {
    if (!(error instanceof MonitorError)) throw error
    await slack.updateView(viewId, assignNoteModal(intent.to, monitorSentence(error.code)))
    if (error.code === 'refused') throw error
    return undefined
  }
}

/** The form with what is still to be asked; a note in its place where that is nothing. @param from - Where its verdict goes. */
export async function formFor(
  house: House,
  { asker, place }: From,
  intent: KeyedIntent,
  asking: Candidates,
): Promise<View> {
  if (asking.kind === 'known') return assignNoteModal(intent.to, answeredElsewhere)
  const card = await cardTheySee(house, asker, intent.cardId)
  const containerId = asking.kind === 'ask-container' ? undefined : asking.containerId
  const state = formState(place, intent, containerId)
  const headline = card?.title ?? `Alert ${quote(intent.which.ks)}`
  return assignModal(intent, { state, headline, asking })
}
