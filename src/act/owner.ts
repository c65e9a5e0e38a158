// Owners of alerts: finds or asks whom somebody means, and names owners for verdicts, with the asker’s own token.
import { renderStillAsking } from '../alert/render/look-up.ts'
import { MonitorError, orMonitorError, UserError } from '../errors.ts'
import type { House } from '../house.ts'
import { monitorSentences } from '../monitor/failures.ts'
import type { Alert, ContainerPerson } from '../monitor/schema.ts'
import { containerKnown, personShown } from '../names/containers.ts'
import { peopleOf, type Reader } from '../names/names.ts'
import { ownIdOf, type WhoIs, whoIs, whoUnknown } from '../names/own-id.ts'
import type { AlertWrite, SendOutcome } from '../send/outcome.ts'
import type { From, Typing } from '../slack/guard/requests.ts'
import { sayingWhenSlow } from '../slack/outbound/slow.ts'
import { quote } from '../slack/text/typed.ts'
import { inTime } from '../work/under-way.ts'
import { alertNamed, formState, type KeyedIntent, readFormState } from './intent.ts'
import { assignModal, assignNoteModal, personName, suggestPeople } from './render/forms.ts'
import type { AssignFacts } from './render/verdict.ts'
import { containerFor, hearsOfLack } from './rights.ts'

/** Stops before a form asks about an alert that doesn’t exist. */
export class NoAlert extends UserError {}

/** @throws NoAlert where no alert has the typed key. */
async function containerIn(house: House, reader: Reader, { cardId, which: { ks } }: KeyedIntent) {
  if (cardId === undefined) {
    const found = await orMonitorError(house.monitor.readAlert(reader.token, ks))
    if (found instanceof MonitorError && found.code === 'not-found')
      throw new NoAlert(`There’s no alert ${quote(ks)}. Check the key, capitals included.`)
  }
  return containerFor(house, reader, ks, cardId)
}

/**
 * @returns Undefined where a form asks for the owner, or they have heard why not.
 * @throws UserError where nobody can tell, and no form can be opened.
 */
export async function ownerFor(
  house: House,
  from: From & Reader,
  intent: KeyedIntent,
  triggerId: string | undefined,
): Promise<number | undefined> {
  const { to } = intent
  if (typeof to === 'object')
    return 'userId' in to ? to.userId : userOf(house, from, intent, to.slackId)
  const own = to === 'me' ? await ownIdOf(house, from.asker) : undefined
  if (own !== undefined) return own
  if (await hearsOfLack(house, from, intent)) return undefined
  if (to !== 'me' && triggerId === undefined) throw new UserError(chooseNow)
  const reading = findCandidates(house, from, intent)
  const found = await (triggerId === undefined
    ? sayingWhenSlow(house, from.place, renderStillAsking(intent.which.ks), reading)
    : openWhenRead(house, from, triggerId, intent, reading))
  if (found?.kind === 'known') return found.userId
  if (triggerId === undefined) throw new UserError(whoUnknown)
  return undefined
}

/** Shown once an account is connected, as Slack lets no form open by itself then. Raw. */
const chooseNow =
  'You’re connected. Press Assign to somebody on the alert’s card again, and choose.'

/** @throws UserError where nobody can tell who somebody in Slack is. */
async function userOf(
  house: House,
  from: From & Reader,
  intent: KeyedIntent,
  slackId: string,
): Promise<number> {
  const container = () =>
    sayingWhenSlow(
      house,
      from.place,
      renderStillAsking(intent.which.ks),
      containerIn(house, from, intent),
    )
  const who = await whoIs(house, from, container, slackId)
  // Learns the asker’s own id as well: an alert that is theirs they may hand over.
  await whoIs(house, from, async () => containerKnown(house, from.asker, intent.which.ks, {}))
  if (who.kind === 'known') return who.userId
  const name = await house.slack.people.nameOf(slackId)
  throw new UserError(
    `I can’t tell who ${name === undefined ? 'that person' : quote(name)} is in monitoring. Use their user ID there in place of the name, or press Assign to somebody on the alert’s card. Nothing was sent.`,
  )
}

/** Slack’s trigger lives three seconds, and some of that is gone by now. */
const soonMs = 1_200

/**
 * Opens the form that a read decides about: at once if the read is soon done, else in place of “Loading…”.
 * @returns What was found; undefined where the form says why nothing was.
 */
async function openWhenRead(
  house: House,
  from: From,
  triggerId: string,
  intent: KeyedIntent,
  reading: Promise<Candidates>,
): Promise<Candidates | undefined> {
  const { slack } = house
  const isMe = intent.to === 'me'
  const soon = await inTime(reading, soonMs)
  if (soon !== undefined) {
    if (soon.kind !== 'known')
      await slack.openView(triggerId, await formFor(house, from, intent, soon))
    return soon
  }
  const viewId = await slack.openView(triggerId, assignNoteModal(isMe, 'Loading…'))
  try {
    const found = await reading
    await slack.updateView(viewId, await formFor(house, from, intent, found))
    return found
  } catch (error) {
    if (!(error instanceof MonitorError || error instanceof UserError)) throw error
    const sentence = error instanceof UserError ? error.message : monitorSentences[error.code]
    await slack.updateView(viewId, assignNoteModal(isMe, sentence))
    if (error instanceof MonitorError && error.code === 'refused') throw error
    return undefined
  }
}

/** The form for what is left to ask; a note where nothing is. @param from - Where its verdict goes. */
async function formFor(
  house: House,
  { asker, place }: From,
  intent: KeyedIntent,
  found: Candidates,
) {
  const isMe = intent.to === 'me'
  if (found.kind === 'known')
    return assignNoteModal(isMe, 'You can close this: my message has the result.')
  const state = formState(place, intent, found.containerId)
  const headline = await alertNamed(house, asker, intent)
  return assignModal(found, isMe, { state, headline, message: intent.message, ks: intent.which.ks })
}

/** The asker, where the alert is to be theirs; else people to choose from. */
type Candidates = WhoIs & { readonly containerId: number }

/** @throws UserError where nobody can tell the container; MonitorError unless it is about this container alone. */
async function findCandidates(
  house: House,
  reader: Reader,
  intent: KeyedIntent,
): Promise<Candidates> {
  const containerId = await containerIn(house, reader, intent)
  if (containerId === undefined) throw new UserError(noContainer)
  if (intent.to === 'me')
    return { ...(await whoIs(house, reader, async () => containerId)), containerId }
  const listed = await peopleOf(house, reader, containerId)
  const people = listed.kind === 'listed' ? listed.people.filter(({ member }) => member) : []
  return { kind: 'choose', people, containerId }
}

const noContainer =
  'I can’t tell which container this alert is in. List its alerts first, as in /alert open 12, then try again.'

/** Suggests people of the container, with the typing person’s own token. Never rejects for the service. */
export async function suggestAssignees(house: House, { asker, typed, privateMetadata }: Typing) {
  const { containerId, intent } = readFormState(privateMetadata)
  const token = await house.tokens.find(asker)
  if (containerId === undefined || token === undefined) return []
  const listed = await orMonitorError(peopleOf(house, { asker, token }, containerId))
  const people = 'people' in listed ? listed.people : []
  const able = people.filter(({ member }) => member || intent.to === 'me')
  return suggestPeople(typed, able)
}

/** How long a verdict waits for a name. */
const nameMs = 2_000

/** Undefined where no owner matters. Never rejects for the service. @param reader - With no token: known names only. */
export async function assignFacts(
  house: House,
  reader: Pick<Reader, 'asker'> & Partial<Reader>,
  write: AlertWrite,
  outcome: SendOutcome,
  alert?: Alert,
): Promise<AssignFacts | undefined> {
  const isHeldBack = outcome.kind === 'not-done' && outcome.code === 'changed'
  if (write.kind === 'comment' || (write.kind === 'close' && !isHeldBack)) return undefined
  const own = await ownIdOf(house, reader.asker)
  const wantedId = write.kind === 'assign' ? write.ownerId : undefined
  const about = isHeldBack ? alert?.ownerId : wantedId
  const nameOf = async (id: number) => {
    const owner = await ownerShown(house, reader, write, id)
    if (owner !== undefined) return personName(owner)
    // A typed line named them by their Slack id.
    const isTyped = write.kind === 'assign' && write.ownerId === id && write.slackId !== undefined
    return isTyped ? house.slack.people.nameOf(write.slackId) : undefined
  }
  const named = async (id: number | null | undefined) =>
    id == null || id === own ? undefined : inTime(nameOf(id), nameMs)
  const [name, wanted] = await Promise.all([named(about), isHeldBack ? named(wantedId) : undefined])
  const isOwn = about != null && about === own
  return { isForSelf: own !== undefined && own === wantedId, isOwn, name, wanted }
}

/** A user as the reader’s token shows them; if it has not yet, reads the people of the alert’s container. */
export async function ownerShown(
  house: House,
  { asker, token }: Pick<Reader, 'asker'> & Partial<Reader>,
  { ks, cardId }: AlertWrite,
  id: number,
): Promise<ContainerPerson | undefined> {
  const shown = () => personShown(house, asker, id)
  try {
    const reader = shown() === undefined && token !== undefined && { asker, token }
    const containerId = reader && (await containerFor(house, reader, ks, cardId))
    if (reader && containerId) await peopleOf(house, reader, containerId)
  } catch (error) {
    house.log.debug({ err: error }, 'nobody could tell the name of an owner')
  }
  return shown()
}
