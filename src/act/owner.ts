// Owners of alerts: named in verdicts, as the sender’s token shows them, and told of what they got or lost.

import { whereOthersSee } from '../alert/cards.ts'
import { showButton, showListedAction } from '../alert/render/open-list.ts'
import type { House } from '../house.ts'
import type { Alert, ContainerPerson } from '../monitor/schema.ts'
import { personShown } from '../names/containers.ts'
import { peopleOf } from '../names/names.ts'
import { ownIdOf } from '../names/own-id.ts'
import { type AlertWrite, isRefusedFor, type SendOutcome } from '../send/outcome.ts'
import { unlessSlackFails } from '../slack/client.ts'
import { say, sayMarked } from '../slack/outbound/message.ts'
import type { Account } from '../slack/person.ts'
import { escapeText, linkTo } from '../slack/text/mrkdwn.ts'
import { inTime } from '../work/under-way.ts'
import { containerByCard } from './intent.ts'
import { personName } from './render/forms.ts'
import type { AssignFacts } from './render/verdict.ts'

/** With no token: known names only. */
type PerhapsReader = Pick<Account, 'owner'> & Partial<Account>

/** How long a verdict waits for a name. */
const nameMs = 2_000

/** Undefined where no owner matters. Never rejects for the service. */
export async function assignFacts(
  house: House,
  reader: PerhapsReader,
  write: AlertWrite,
  outcome: SendOutcome,
  alert?: Alert,
): Promise<AssignFacts | undefined> {
  const isHeldBack = isRefusedFor(outcome, ['changed'])
  if (write.kind === 'comment' || (write.kind === 'close' && !isHeldBack)) return undefined
  const own = await ownIdOf(house, reader.owner)
  const wantedId = write.kind === 'assign' ? write.ownerId : undefined
  const aboutId = isHeldBack ? alert?.ownerId : wantedId
  const ownerName = async (id: number) => {
    const owner = await ownerShown(house, reader, write, id)
    if (owner !== undefined) return personName(owner)
    // A typed line named them by their Slack id.
    const isTyped = write.kind === 'assign' && write.ownerId === id && write.slackId !== undefined
    return isTyped ? house.slack.people.nameOf(write.slackId) : undefined
  }
  const nameUnlessOwn = async (id: number | null | undefined) =>
    id == null || id === own ? undefined : inTime(ownerName(id), nameMs)
  const [name, wanted] = await Promise.all([
    nameUnlessOwn(aboutId),
    isHeldBack ? nameUnlessOwn(wantedId) : undefined,
  ])
  return {
    isForSelf: own !== undefined && own === wantedId,
    isOwn: aboutId != null && aboutId === own,
    name,
    wanted,
  }
}

/** A user as the reader’s token shows them; if it has not yet, reads the people of the alert’s container. */
async function ownerShown(
  house: House,
  reader: PerhapsReader,
  write: AlertWrite,
  id: number,
): Promise<ContainerPerson | undefined> {
  const { owner, token } = reader
  const known = personShown(house, owner, id)
  if (known !== undefined || token === undefined) return known
  try {
    const containerId = await containerByCard(house, { owner, token }, write)
    if (containerId) await peopleOf(house, { owner, token }, containerId)
  } catch (error) {
    house.log.debug({ err: error }, 'nobody could tell the name of an owner')
  }
  return personShown(house, owner, id)
}

/** Tells the new and the former owner directly; nothing of the alert, which their own token may not show. */
export async function tellOwners(
  house: House,
  reader: Account,
  write: AlertWrite & { readonly kind: 'assign' },
): Promise<void> {
  const { owner: asker } = reader
  const [owner, former] = await Promise.all([
    write.slackId ?? slackIdOf(house, reader, write, write.ownerId),
    slackIdOf(house, reader, write, write.shown?.ownerId),
  ])
  const isTaking = owner === asker.userId || write.ownerId === (await ownIdOf(house, asker))
  const lost = isTaking
    ? 'took over an alert you had'
    : 'assigned an alert you had to somebody else'
  // Two numbers may be one person’s: the later entry wins, and they hear the better news.
  const told = new Map([
    [former, lost],
    [owner, 'assigned an alert to you'],
  ])
  await Promise.all(
    [...told].map(async ([userId, what]) => {
      if (userId === undefined || userId === asker.userId) return
      await tellOwner(house, reader, write, userId, what)
    }),
  )
}

/** With a link to a card where they see one, else a button for a card of their own. */
async function tellOwner(
  house: House,
  { owner: asker }: Account,
  { ks, cardId }: AlertWrite,
  userId: string,
  what: string,
): Promise<void> {
  const { slack, storage } = house
  if (await slack.people.hasLeft(userId)) return
  const { workspaceId, userId: ownerId } = asker
  const giver = (await slack.people.inLine(ownerId)) ?? 'A colleague'
  // A typed line has no card: the sender’s own card of the alert will do.
  const own = cardId ? [] : await storage.cards.list({ workspaceId, ownerId, newest: 50 })
  const card = own.find((one) => one.ks === ks && !one.isPrivate)
  const posted = await whereOthersSee(house, asker, cardId ?? card?.id)
  // A card in a channel that they aren’t in is none to them.
  const isThere = posted && (await slack.channels.isMember(posted.channelId, userId))
  const link = isThere ? await slack.linkOf(posted) : undefined
  const news = `${giver} ${what}.`
  const message =
    link === undefined
      ? say(news, { buttons: [showButton(ks, showListedAction)] })
      : sayMarked(`${escapeText(news)} ${linkTo(link, 'Open its card')}`)
  await slack.post(userId, message)
}

/** Somebody’s id in Slack: as it is known, else by the address that the sender’s token shows. */
async function slackIdOf(
  house: House,
  reader: Account,
  write: AlertWrite,
  id: number | null | undefined,
): Promise<string | undefined> {
  if (id == null) return undefined
  const { slack, storage } = house
  const known = await storage.ownIds.personOf(reader.owner.workspaceId, id)
  if (known !== undefined) return known.userId
  const email = (await ownerShown(house, reader, write, id))?.email
  return email ? unlessSlackFails(slack.people.memberWith(email)) : undefined
}
