// Finds the person to whom an alert is to be assigned, as a number of the service: typed or known, else asked in a form.

import { renderStillAsking } from '../alert/render/look-up.ts'
import { orMonitorError, UserError } from '../errors.ts'
import type { House } from '../house.ts'
import type { ContainerPeople } from '../monitor/reads.ts'
import { containerKnown } from '../names/containers.ts'
import { peopleOf } from '../names/names.ts'
import { ownIdOf, type WhoIs, whoIs, whoUnknown } from '../names/own-id.ts'
import type { From, Typing } from '../slack/guard/requests.ts'
import { sayingWhenSlow } from '../slack/outbound/slow.ts'
import type { Account } from '../slack/person.ts'
import { quote } from '../slack/text/typed.ts'
import { inTime } from '../work/under-way.ts'
import { type Actor, alertNamed, formState, type KeyedIntent, readFormState } from './intent.ts'
import { containerByCard } from './people.ts'
import { assignModal, assignNoteModal, suggestPeople, type ToChoose } from './render/forms.ts'
import { hearsOfLack } from './rights.ts'

/**
 * Finds the person meant, by the first of these steps that can tell:
 * 1. A number, typed or chosen in a form, is taken as it is. The service decides about it.
 * 2. A colleague named in Slack is found by their address. A line that names somebody is never answered with a form.
 * 3. The asker’s own number is known once an address or a form has told it.
 * 4. An asker without the flag hears so before any question: nobody fills in a form in vain.
 * 5. The people of the alert’s container tell who the asker is, or fill the form.
 * @returns The number. Undefined if a form asks for it, or the asker has heard why not.
 * @throws UserError if nobody can tell, and no form can be opened.
 */
export async function assigneeFor(
  house: House,
  from: Actor & Account,
  intent: KeyedIntent,
): Promise<number | undefined> {
  const { to } = intent
  const { triggerId } = from
  if (typeof to === 'object')
    return 'userId' in to ? to.userId : colleagueNamed(house, from, intent, to.slackId)

  const isMe = to === 'me'
  const own = isMe ? await ownIdOf(house, from.asker) : undefined
  if (own !== undefined) return own
  if (await hearsOfLack(house, from, intent)) return undefined

  if (triggerId !== undefined) return askInForm(house, { ...from, triggerId }, intent)
  if (!isMe) throw new UserError(chooseNow)

  const found = await meanwhileSaid(house, from, intent, findCandidates(house, from, intent))
  if (found.kind === 'choose') throw new UserError(whoUnknown)
  return found.userId
}

/** Shown once an account is connected, as Slack lets no form open by itself then. Raw. */
const chooseNow =
  'You’re connected. Press Assign to somebody on the alert’s card again, and choose.'

function meanwhileSaid<T>(house: House, { place }: From, { which }: KeyedIntent, work: Promise<T>) {
  return sayingWhenSlow(house, place, renderStillAsking(which.ks), work)
}

/** Number of a colleague named in Slack. @throws UserError if nobody can tell who they are in monitoring. */
async function colleagueNamed(
  house: House,
  from: From & Account,
  intent: KeyedIntent,
  slackId: string,
): Promise<number> {
  const container = () => meanwhileSaid(house, from, intent, containerIn(house, from, intent))
  const who = await whoIs(house, from, container, slackId)
  // The asker’s own number is read too: an alert whose owner has that number is the asker’s, who may hand it over.
  await whoIs(house, from, async () => containerKnown(house, from.asker, intent.which.ks, {}))
  if (who.kind === 'known') return who.userId

  const name = await house.slack.people.nameOf(slackId)
  throw new UserError(
    `I can’t tell who ${name === undefined ? 'that person' : quote(name)} is in monitoring. Use their user ID there in place of the name, or press Assign to somebody on the alert’s card. Nothing was sent.`,
  )
}

/** Longest wait before a form opens: Slack’s trigger lives three seconds, and some of that is gone by now. */
const soonMs = 1_200

/**
 * Reads the people that the form would list. If they show who the asker is, nothing is asked; else the form opens. A slow
 * read leaves the trigger no time: the form then opens as “Loading…”, and becomes a note if nothing is to be asked.
 * @returns The asker’s own number, if the read tells it; else undefined.
 */
async function askInForm(
  house: House,
  from: From & Account & { readonly triggerId: string },
  intent: KeyedIntent,
): Promise<number | undefined> {
  const { slack } = house
  const reading = findCandidates(house, from, intent)
  const soon = await inTime(reading, soonMs)
  if (soon?.kind === 'known') return soon.userId
  if (soon !== undefined) {
    await slack.openView(from.triggerId, await formFor(house, from, intent, soon))
    return undefined
  }

  const viewId = await slack.openView(from.triggerId, assignNoteModal(intent.to, 'Loading…'))
  const close = assignNoteModal(intent.to, 'You can close this: my message has the result.')
  try {
    const found = await reading
    const isKnown = found.kind === 'known'
    await slack.updateView(viewId, isKnown ? close : await formFor(house, from, intent, found))
    return isKnown ? found.userId : undefined
  } catch (error) {
    await slack.updateView(viewId, close)
    throw error
  }
}

/** The form that offers the people found. @param from - Its `place` gets the message about the outcome. */
async function formFor(house: House, { asker, place }: From, intent: KeyedIntent, found: ToChoose) {
  const state = formState(place, intent, found.containerId)
  const headline = await alertNamed(house, asker, intent)
  return assignModal({
    ...intent,
    ...found,
    state,
    headline,
  })
}

/**
 * Candidates for an assignment: the asker’s own number (`known`), or people to choose from (`choose`); and the container.
 */
type Candidates = WhoIs & { readonly containerId: number }

/**
 * Reads whom the alert can be assigned to.
 * @throws UserError if nobody can tell the container; MonitorError for a failure that isn’t about this container alone,
 * such as a refused token.
 */
async function findCandidates(
  house: House,
  reader: Account,
  intent: KeyedIntent,
): Promise<Candidates> {
  const containerId = await containerIn(house, reader, intent)
  if (containerId === undefined) throw new UserError(noContainer)
  if (intent.to === 'me')
    return { containerId, ...(await whoIs(house, reader, async () => containerId)) }

  const listed = await peopleOf(house, reader, containerId)
  return {
    kind: 'choose',
    people: ableIn(listed, intent.to),
    containerId,
  }
}

const noContainer =
  'I can’t tell which container this alert is in. List its alerts first, as in /alert open 12, then try again.'

/** The alert’s container. @throws MonitorError `not-found` if no alert has the typed key, so that no form opens for it. */
async function containerIn(house: House, reader: Account, { cardId, which: { ks } }: KeyedIntent) {
  if (cardId === undefined) await house.monitor.readAlert(reader.token, ks)
  return containerByCard(house, reader, { ks, cardId })
}

/** Suggests people of the container, as the typing person’s own token shows them; nobody if the service fails. */
export async function suggestAssignees(house: House, { asker, typed, privateMetadata }: Typing) {
  const { containerId, intent } = readFormState(privateMetadata)
  const token = await house.tokens.find(asker)
  if (containerId === undefined || token === undefined) return []

  const listed = await orMonitorError(peopleOf(house, { owner: asker, token }, containerId))
  return 'kind' in listed ? suggestPeople(typed, ableIn(listed, intent.to)) : []
}

/** People to choose from: for a new owner, members only, as the service demands; to say who the asker is, everybody. */
function ableIn(found: ContainerPeople, to: KeyedIntent['to']) {
  const people = found.kind === 'listed' ? found.people : []
  return people.filter(({ member }) => member || to === 'me')
}
