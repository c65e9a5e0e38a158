// Finds people around an alert, as the sender’s token shows them: those on its container, and its owners. Verdicts name the
// owners, who also hear that they got or lost the alert.
import { cardTheySee, whereOthersSee } from '../alert/cards.ts'
import { showButton, showListedAction } from '../alert/render/open-list.ts'
import { orMonitorError } from '../errors.ts'
import type { House } from '../house.ts'
import type { Alert, ContainerPerson } from '../monitor/schema.ts'
import { containerOfAlert, personShown } from '../names/containers.ts'
import { peopleOf } from '../names/names.ts'
import { ownIdOf } from '../names/own-id.ts'
import { type AlertWrite, isRefusedFor, type SendOutcome } from '../send/outcome.ts'
import { unlessSlackFails } from '../slack/client.ts'
import { say, sayMarked } from '../slack/outbound/message.ts'
import type { Account, SlackUser } from '../slack/person.ts'
import { escapeText, linkTo } from '../slack/text/mrkdwn.ts'
import { inTime } from '../work/under-way.ts'
import { personName } from './render/forms.ts'
import type { Owners } from './render/verdict.ts'

type OnAlert = Pick<AlertWrite, 'ks' | 'cardId'>

/** The alert’s container; undefined if neither the token nor the card shows it. Never throws if the service fails. */
export async function containerByCard(house: House, reader: Account, { ks, cardId }: OnAlert) {
  const { owner } = reader
  const card = await cardTheySee(house, owner, cardId)
  const place = card?.place ?? (await house.storage.places.find(owner.workspaceId, ks))
  return containerOfAlert(house, reader, ks, {
    names: card?.names,
    place,
  })
}

/**
 * The alert’s container, and the people on it. Never throws if the service fails.
 * @returns `people`: none if the container is unknown, or its people can’t be read.
 */
export async function peopleByCard(house: House, reader: Account, alert: OnAlert) {
  const containerId = await containerByCard(house, reader, alert)
  const listed = containerId && (await orMonitorError(peopleOf(house, reader, containerId)))
  const people = listed && 'people' in listed ? listed.people : []
  return { containerId, people }
}

/** How long a verdict waits for names. */
const nameMs = 2_000

/** Owners that the verdict names; undefined if it names none. Never rejects if the service fails. */
export async function ownersFor(
  house: House,
  reader: Account,
  write: AlertWrite,
  outcome: SendOutcome,
  alert: Alert | undefined,
): Promise<Owners | undefined> {
  const present = isRefusedFor(outcome, ['changed']) ? alert?.ownerId : undefined
  const wanted = write.kind === 'assign' ? write.ownerId : undefined
  const ids = [present, wanted].filter((id) => id != null)
  if (ids.length === 0) return undefined

  const own = await ownIdOf(house, reader.owner)
  const others = ids.filter((id) => id !== own)
  const shown = await inTime(peopleShown(house, reader, write, others), nameMs)
  const names = new Map(shown?.map((one) => [one.id, personName(one)]))
  return { own, names }
}

/** Users whom the reader’s token has shown. If any is missing, reads the people of the alert’s container first. */
async function peopleShown(
  house: House,
  reader: Account,
  write: AlertWrite,
  ids: readonly number[],
): Promise<readonly ContainerPerson[]> {
  const known = () => ids.flatMap((id) => personShown(house, reader.owner, id) ?? [])
  if (known().length < ids.length) await peopleByCard(house, reader, write)
  return known()
}

/** Tells the new and the former owner directly, but nothing of the alert, which their own tokens may not show. */
export async function tellOwners(
  house: House,
  reader: Account,
  write: AlertWrite & { readonly kind: 'assign' },
): Promise<void> {
  const { owner: asker } = reader
  const [owner, former] = await Promise.all([
    slackIdOf(house, reader, write, write.ownerId),
    slackIdOf(house, reader, write, write.shown?.ownerId),
  ])

  // Both owners may be one person in Slack: a map keeps the later entry, which says that they got the alert.
  const told = new Map([
    [former, 'reassigned an alert you had'],
    [owner, 'assigned an alert to you'],
  ])
  await Promise.all(
    [...told].map(async ([userId, what]) => {
      if (userId === undefined || userId === asker.userId) return
      await tellOwner(house, asker, write, userId, what)
    }),
  )
}

/** Tells an owner, with a link to the card if they can see it, else with a button for a card of their own. */
async function tellOwner(
  house: House,
  asker: SlackUser,
  { ks, cardId }: AlertWrite,
  userId: string,
  what: string,
): Promise<void> {
  const { slack } = house
  if (await slack.people.hasLeft(userId)) return

  const giver = (await slack.people.inLine(asker.userId)) ?? 'A colleague'

  const posted = await whereOthersSee(house, asker, cardId)
  // A link into a channel that they aren’t in would show them nothing.
  const isThere = posted && (await slack.channels.isMember(posted.channelId, userId))
  const link = isThere ? await slack.linkOf(posted) : undefined

  const news = `${giver} ${what}.`
  const message =
    link === undefined
      ? say(news, { buttons: [showButton(ks, showListedAction)] })
      : sayMarked(`${escapeText(news)} ${linkTo(link, 'Open its card')}`)
  await slack.post(userId, message)
}

/** Somebody’s id in Slack: the one that is known, else the one found by the address that the sender’s token shows. */
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

  const [person] = await peopleShown(house, reader, write, [id])
  return person?.email && unlessSlackFails(slack.people.memberWith(person.email))
}
